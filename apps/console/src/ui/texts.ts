/**
 * What every feature says in the same way, and what the parts in this folder say themselves. One by one, so that the
 * sign-in page fetches only the words it says.
 */
export const BACK = 'Back';
export const BACK_TO_PROJECTS = 'Back to projects';
export const CANCEL = 'Cancel';
export const CLOSE = 'Close';
export const COPIED = 'Copied';
export const DISMISS = 'Dismiss';
export const LOADING = 'Loading';
export const TRY_AGAIN = 'Try again';

export const PAGE_FAILED = 'This page cannot be shown';
export const PAGE_FAILED_TEXT =
  'The server may be away, or has been updated. Nothing you did is lost.';
export const RESOURCES_FAILED = 'Your resources could not be loaded';

export const PASSWORD_STRENGTHS = { weak: 'Weak', fair: 'Fair', strong: 'Strong' } as const;

export function retrying(problem: string): string {
  return `${problem.replace(/\.$/, '')}. Trying again…`;
}
