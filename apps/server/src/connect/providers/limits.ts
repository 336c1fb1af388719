/** What is looked through at most; the answer says when there was more. */
export const MAX_REPOSITORIES = 10_000;
export const MAX_BRANCHES = 2_000;
export const MAX_TAGS = 2_000;
export const RECENT_COMMITS = 50;
