import type { ReleaseSpec } from '../../../src/engines/engine.ts';
import type { Reason } from '../../../src/engines/failure.ts';

/** The ref that an app is built from determines how it behaves. */
export const REFS = ['main', 'next', 'missing', 'broken', 'silent', 'crashing'] as const;
export type Ref = (typeof REFS)[number];

export const BUILD_FAILURES: Partial<Record<Ref, Reason>> = {
  missing: 'ref-not-found',
  broken: 'build-failed',
};

/** Why an app of this ref never runs for long. */
export const PERMANENT_REASONS: Record<Ref, Reason[]> = {
  main: [],
  next: [],
  missing: ['ref-not-found'],
  broken: ['build-failed'],
  silent: ['port-never-answered'],
  crashing: ['app-exited', 'app-killed', 'crash-loop'],
};

/** After a rollback an app names a commit instead of one of the refs. */
export function createRefs() {
  const refsByCommit = new Map<string, Ref>();
  const refOf = ({ origin }: Pick<ReleaseSpec, 'origin'>): Ref => {
    const name = origin.kind === 'git' ? origin.ref : 'main';
    return refsByCommit.get(name) ?? (name as Ref);
  };
  return {
    refOf,
    recordCommit: (spec: Pick<ReleaseSpec, 'origin'>, commit: string) =>
      void refsByCommit.set(commit, refOf(spec)),
  };
}
