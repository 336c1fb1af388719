import { pinRevision, sizeOf } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import type { ReleaseSpec } from '../engines/engine.ts';
import { engineSettings } from './desired.ts';
import type { PassContext } from './pass-context.ts';

export function specOf({ number, values }: Release, { desired, deps }: PassContext): ReleaseSpec {
  const size = sizeOf(values.resourceTier, deps.tiers);
  return { ...desired.spec, ...engineSettings(values), size, number };
}

/** A release that was built before is rebuilt from the same commit, even if its branch has moved on. */
export function buildSpecOf(release: Release, pass: PassContext): ReleaseSpec {
  const { revision, values } = release;
  if (revision === undefined) return specOf(release, pass);
  return specOf({ ...release, values: pinRevision(revision, values) }, pass);
}
