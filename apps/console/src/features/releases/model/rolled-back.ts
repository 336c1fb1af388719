import { pinnedTo, type Release, type ReleaseMake } from '@longshore/contract';

/** What a release that goes back to this one would be made of. */
export function rolledBack({ madeOf, envMarks, revision }: Release): ReleaseMake {
  if (revision === undefined) return { madeOf, envMarks, revision };
  const { env: _, ...pinned } = pinnedTo(revision, { ...madeOf, env: {} });
  return { madeOf: pinned, envMarks, revision };
}
