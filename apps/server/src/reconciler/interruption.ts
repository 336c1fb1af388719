import type { Release } from '../apps/releases.ts';
import type { DesiredApp } from './desired.ts';
import { matchesDesired } from './plan.ts';
import type { StepOf } from './step.ts';

/** Work on a release that must not be repeated without need. */
export type ReleaseWork = StepOf<'build' | 'command'>;

/**
 * Whether a build or a release command goes on after the desired state changed, for example because the app was scaled. A build
 * ends when the app is hibernated, and is repeated when it wakes; a command goes on, because half of it may do harm.
 */
export function isStillDesired(
  { kind, release }: Pick<ReleaseWork, 'kind' | 'release'>,
  { desired, last }: { desired: DesiredApp; last: Release | undefined },
): boolean {
  if (desired.isDeleted || !matchesDesired(desired, release)) return false;
  const isCurrent = last?.number === release.number && last.outcome === undefined;
  return isCurrent && (desired.instances > 0 || kind === 'command');
}
