import { pinRevision, type Release, type ReleaseInputs } from '@longshore/contract';

/** What a release that goes back to this one would be made of. */
export function rolledBack({ values, envVersions, revision }: Release): ReleaseInputs {
  if (revision === undefined) return { values, envVersions, revision };
  const { env: _, ...pinned } = pinRevision(revision, { ...values, env: {} });
  return { values: pinned, envVersions, revision };
}
