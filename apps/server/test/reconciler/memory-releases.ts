import { RETAINED_RELEASES } from '@longshore/contract';
import type { ReconcilerStore } from '../../src/apps/reconciler-store.ts';
import type { StoredRelease } from './stored-records.ts';

type ReleaseCalls =
  | 'releases'
  | 'desiredHashOf'
  | 'addRelease'
  | 'addPhase'
  | 'setBuildInputs'
  | 'setRevision'
  | 'setCommandDone'
  | 'addDetected'
  | 'setFixes'
  | 'endRelease'
  | 'revokeRelease';

export type MemoryReleases = Pick<ReconcilerStore, ReleaseCalls> & {
  releasesOf(appId: string): StoredRelease[];
  /** Cancels the release that is in progress. Returns whether there was one. */
  cancel(appId: string): boolean;
};

type MemoryReleasesDeps = {
  clock: { now(): number };
  isKnown(appId: string): boolean;
  /** Whether the values of the app were restored from an earlier release. */
  isRolledBack(appId: string): boolean;
};

export function createMemoryReleases({
  clock,
  isKnown,
  isRolledBack,
}: MemoryReleasesDeps): MemoryReleases {
  const releases = new Map<string, StoredRelease[]>();

  return {
    releasesOf: (appId) => releases.get(appId) ?? [],
    cancel(appId) {
      const last = releases.get(appId)?.at(-1);
      if (last === undefined || last.outcome !== undefined) return false;
      change(appId, last.number, () => ({ outcome: 'cancelled', endedAt: clock.now() }));
      return true;
    },
    async releases(appId) {
      const all = releases.get(appId) ?? [];
      const live = all.filter(({ outcome }) => outcome === 'live');
      return { last: all.at(-1), live: live.reverse().slice(0, RETAINED_RELEASES) };
    },
    desiredHashOf: (_, hash) => hash,
    async addRelease({ appId, generation, desiredHash, values, from, commandDone }) {
      if (!isKnown(appId)) throw new Error(`There is no app ${appId}`);
      const before = (releases.get(appId) ?? []).map((release) =>
        release.outcome === undefined
          ? { ...release, outcome: 'superseded' as const, endedAt: clock.now() }
          : release,
      );
      const added: StoredRelease = {
        number: (before.at(-1)?.number ?? 0) + 1,
        generation,
        desiredHash,
        values,
        revision: from?.revision,
        inputs: from?.inputs,
        from: from?.number,
        isRollback: isRolledBack(appId),
        commandDone,
        outcome: undefined,
        reason: undefined,
        evidence: [],
        fixes: [],
        detected: before.find(({ number }) => number === from?.number)?.detected ?? {},
        message: undefined,
        phases: [{ phase: 'queued', at: clock.now() }],
        endedAt: undefined,
      };
      releases.set(appId, [...before, added]);
      return added;
    },
    async addPhase(appId, number, phase) {
      if (!isInProgress(appId, number)) return;
      change(appId, number, ({ phases }) => ({ phases: [...phases, { phase, at: clock.now() }] }));
    },
    async setRevision(appId, number, revision) {
      change(appId, number, (release) => ({ revision: release.revision ?? revision }));
    },
    async setCommandDone(appId, number, commandDone) {
      change(appId, number, () => ({ commandDone }));
    },
    async setBuildInputs(appId, number, inputs) {
      change(appId, number, () => ({ inputs }));
    },
    async addDetected(appId, number, detected) {
      change(appId, number, (release) => ({ detected: { ...release.detected, ...detected } }));
    },
    async setFixes(appId, number, fixes) {
      change(appId, number, () => ({ fixes }));
    },
    async endRelease({ appId, number, generation, ...ended }) {
      const { outcome, reason, evidence = [], fixes = [], message } = ended;
      if (!isInProgress(appId, number)) return false;
      const attempt = generation === undefined ? {} : { generation };
      const end = { ...attempt, outcome, reason, evidence, fixes, message, endedAt: clock.now() };
      change(appId, number, () => end);
      return true;
    },
    async revokeRelease({ appId, number, reason, evidence, message }) {
      change(appId, number, ({ outcome }) =>
        outcome === 'live' ? { outcome: 'failed', reason, evidence, message } : {},
      );
    },
  };

  function isInProgress(appId: string, number: number): boolean {
    const release = releases.get(appId)?.find((candidate) => candidate.number === number);
    return release !== undefined && release.outcome === undefined;
  }

  function change(
    appId: string,
    number: number,
    changeOf: (release: StoredRelease) => Partial<StoredRelease>,
  ): void {
    const changed = (releases.get(appId) ?? []).map((release) =>
      release.number === number ? { ...release, ...changeOf(release) } : release,
    );
    releases.set(appId, changed);
  }
}
