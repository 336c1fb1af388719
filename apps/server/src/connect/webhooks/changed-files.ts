/** The lists of a commit in the payload of a push. Undefined: the provider sent none. */
export type CommitFiles = {
  added?: string[] | undefined;
  modified?: string[] | undefined;
  removed?: string[] | undefined;
};

export type PushedCommits = {
  /** The commit of the branch before. */
  before?: string | undefined;
  commits?: CommitFiles[] | undefined;
  /** How many commits were pushed: providers list only some of many. Undefined if that is unknown. */
  count: number | undefined;
  /** Whether the lists name the former path of a moved file. */
  hasFormerPaths: boolean;
};

const NO_COMMIT = /^0*$/;
/** More are not stored. */
const MAX_FILES = 1_000;
const MAX_CHARACTERS = 50_000;

/** The files that a push changed. Undefined if they are not all known: then it is deployed, whatever the watch paths are. */
export function changedFiles(push: PushedCommits): string[] | undefined {
  const { before = '', commits = [], count, hasFormerPaths } = push;
  // A branch that is new, or was reset to an earlier commit, differs by files that no commit lists.
  if (NO_COMMIT.test(before) || commits.length === 0 || commits.length !== count) return undefined;
  const files = new Set<string>();
  for (const { added, modified, removed } of commits) {
    if (added === undefined || modified === undefined || removed === undefined) return undefined;
    if (added.length > 0 && !hasFormerPaths) return undefined;
    for (const file of [added, modified, removed].flat()) files.add(file);
  }
  return isStored(files) ? [...files] : undefined;
}

function isStored(files: Set<string>): boolean {
  if (files.size > MAX_FILES) return false;
  return [...files].reduce((sum, { length }) => sum + length, 0) <= MAX_CHARACTERS;
}
