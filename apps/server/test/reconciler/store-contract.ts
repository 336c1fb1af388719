import {
  type AppValues,
  type ObservedState,
  progressMessage,
  RETAINED_RELEASES,
  releaseValues,
} from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReconcilerStore } from '../../src/apps/reconciler-store.ts';
import type { NewRelease } from '../../src/apps/releases.ts';
import type { StoredRelease, StoredStatus } from './stored-records.ts';

export type StoreHarness = {
  store: ReconcilerStore;
  addApp(): Promise<string>;
  editApp(appId: string, change: Partial<AppValues>): Promise<void>;
  deleteApp(appId: string): Promise<void>;
  statusOf(appId: string): Promise<StoredStatus>;
  releasesOf(appId: string): Promise<StoredRelease[]>;
  observedOf(appId: string): Promise<ObservedState>;
  /** Number of notifications about changes of the app's row. */
  changesOf(appId: string): Promise<number>;
  clear(): Promise<void>;
};

const values = releaseValues(buildAppValues());

/** The contract of every store of the reconciler. */
export function describeStore(name: string, createHarness: () => Promise<StoreHarness>): void {
  describe(`the ${name} store`, () => {
    let harness: StoreHarness;
    let store: ReconcilerStore;

    beforeAll(async () => {
      harness = await createHarness();
      store = harness.store;
    });
    afterAll(() => harness.clear());

    it('finds nothing for an app that does not exist', async () => {
      const unknownId = '00000000-0000-4000-8000-000000000000';
      expect(await store.app(unknownId)).toBeUndefined();
      expect(await store.releases(unknownId)).toEqual({ last: undefined, live: [] });
      await expect(addRelease(unknownId, 'a')).rejects.toThrow();
    });

    it('reads an app with its values and its generation', async () => {
      const appId = await harness.addApp();
      await harness.editApp(appId, { instances: 0 });
      const app = await store.app(appId);
      expect(app).toMatchObject({ id: appId, generation: 2, deleted: false });
      expect(app?.values).toMatchObject({ instances: 0, source: { enabled: true } });
    });

    it('lists the ids of existing apps, and of deleted ones until their removal is complete', async () => {
      const [existing, deleted] = [await harness.addApp(), await harness.addApp()];
      await report(deleted, 1, 'running');
      await harness.deleteApp(deleted);
      expect(await store.appIds()).toEqual(expect.arrayContaining([existing, deleted]));
      expect((await store.app(deleted))?.deleted).toBe(true);
      await report(deleted, 2, 'removed');
      expect(await store.appIds()).toContain(existing);
      expect(await store.appIds()).not.toContain(deleted);
    });

    it('lists existing apps with their values, oldest first', async () => {
      const [first, deleted, last] = [
        await harness.addApp(),
        await harness.addApp(),
        await harness.addApp(),
      ];
      await harness.deleteApp(deleted);
      const apps = await store.existingApps();
      const ids = apps.map(({ id }) => id).filter((id) => [first, deleted, last].includes(id));
      expect(ids).toEqual([first, last]);
      expect(apps.at(-1)).toEqual(await store.app(last));
    });

    it('numbers the releases of each app from one', async () => {
      const [one, other] = [await harness.addApp(), await harness.addApp()];
      expect(await addRelease(one, 'a')).toMatchObject({
        number: 1,
        desiredHash: 'a',
        outcome: undefined,
      });
      expect(await addRelease(one, 'b')).toMatchObject({ number: 2, desiredHash: 'b' });
      expect(await addRelease(other, 'a')).toMatchObject({ number: 1 });
    });

    it('supersedes the release in progress, and no other', async () => {
      const appId = await harness.addApp();
      for (const hash of ['a', 'b', 'c', 'd']) {
        const { number } = await addRelease(appId, hash);
        if (hash === 'a') await store.endRelease({ appId, number, outcome: 'live' });
        if (hash === 'b') await store.endRelease({ appId, number, outcome: 'failed' });
      }
      const releases = await harness.releasesOf(appId);
      expect(releases.map(({ outcome }) => outcome)).toEqual([
        'live',
        'failed',
        'superseded',
        undefined,
      ]);
      expect(releases.map(({ endedAt }) => endedAt !== undefined)).toEqual([
        true,
        true,
        true,
        false,
      ]);
    });

    it('keeps the outcome of a release that has ended', async () => {
      const appId = await harness.addApp();
      const { number } = await addRelease(appId, 'a');
      const end = (outcome: 'cancelled' | 'live') => store.endRelease({ appId, number, outcome });
      expect(await end('cancelled')).toBe(true);
      await store.addPhase(appId, number, 'live');
      expect(await end('live')).toBe(false);
      const [release] = await harness.releasesOf(appId);
      expect(release?.outcome).toBe('cancelled');
      expect(release?.phases.map(({ phase }) => phase)).toEqual(['queued']);
    });

    it('makes a release that went live a failed one, and no other', async () => {
      const appId = await harness.addApp();
      const end = {
        reason: 'release-unhealthy',
        evidence: ['line'],
        message: 'It failed.',
      } as const;
      for (const outcome of ['live', 'cancelled'] as const) {
        const { number } = await addRelease(appId, outcome);
        await store.endRelease({ appId, number, outcome });
        await store.revokeRelease({ appId, number, ...end, evidence: [...end.evidence] });
      }
      const [live, cancelled] = await harness.releasesOf(appId);
      expect(live).toMatchObject({ outcome: 'failed', ...end });
      expect(cancelled).toMatchObject({ outcome: 'cancelled', reason: undefined });
      expect((await store.releases(appId)).live).toEqual([]);
    });

    it('finds the newest release and the newest live one', async () => {
      const appId = await harness.addApp();
      const first = await addRelease(appId, 'a');
      await store.endRelease({ appId, number: first.number, outcome: 'live' });
      const failure = { outcome: 'failed', reason: 'build-failed', evidence: ['line'] } as const;
      const { number } = await addRelease(appId, 'b');
      const end = { ...failure, evidence: [...failure.evidence], message: 'It failed.' };
      await store.endRelease({ appId, number, ...end });
      expect(await store.releases(appId)).toMatchObject({
        last: { number: 2, ...failure },
        live: [{ number: 1, outcome: 'live', reason: undefined, evidence: [] }],
      });
      expect((await harness.releasesOf(appId)).at(-1)?.message).toBe('It failed.');
    });

    it('stores the last generation that a failed release was an attempt for', async () => {
      const appId = await harness.addApp();
      const { number } = await addRelease(appId, 'a');
      await store.endRelease({ appId, number, outcome: 'failed', generation: 4 });
      expect((await store.releases(appId)).last).toMatchObject({ number, generation: 4 });
    });

    it('adds up what was found out about a release, for those that reuse its build too', async () => {
      const appId = await harness.addApp();
      const { number } = await addRelease(appId, 'a');
      await store.addDetected(appId, number, { summary: 'Next.js', buildCommand: 'a' });
      await store.addDetected(appId, number, { buildCommand: 'b', port: 3000 });
      const detected = { summary: 'Next.js', buildCommand: 'b', port: 3000 };
      expect((await store.releases(appId)).last?.detected).toEqual(detected);
      const { last } = await store.releases(appId);
      await addRelease(appId, 'b', last);
      expect((await store.releases(appId)).last?.detected).toEqual(detected);
      await addRelease(appId, 'c');
      expect((await store.releases(appId)).last?.detected).toEqual({});
    });

    it('stores what solves the failure of a release, also after its end', async () => {
      const appId = await harness.addApp();
      const { number } = await addRelease(appId, 'a');
      const port = { kind: 'port', port: 3000 } as const;
      await store.endRelease({ appId, number, outcome: 'failed', fixes: [port] });
      expect((await harness.releasesOf(appId)).at(-1)?.fixes).toEqual([port]);
      await store.setFixes(appId, number, []);
      expect((await harness.releasesOf(appId)).at(-1)?.fixes).toEqual([]);
    });

    it('limits live releases to the number that is stored, newest first', async () => {
      const appId = await harness.addApp();
      for (let count = 0; count < RETAINED_RELEASES + 2; count += 1) {
        const { number } = await addRelease(appId, 'a');
        await store.endRelease({ appId, number, outcome: 'live' });
      }
      const { live } = await store.releases(appId);
      expect(live.map(({ number }) => number)).toEqual([7, 6, 5, 4, 3]);
    });

    it('stores the values of a release, and the release whose build it reuses', async () => {
      const appId = await harness.addApp();
      const first = await addRelease(appId, 'a');
      const newValues = { ...values, env: { COLOUR: 'red', TOKEN: 'sesame' } };
      const inputs = { arguments: ['VERSION'], startCommand: false };
      const from = { number: first.number, revision: 'c0ffee', inputs };
      const added = await store.addRelease({
        appId,
        generation: 2,
        desiredHash: 'b',
        values: newValues,
        from,
      });
      expect(added).toMatchObject({ values: newValues, from: 1, revision: 'c0ffee', inputs });
      const { last } = await store.releases(appId);
      expect(last).toMatchObject({ values: newValues, from: 1, inputs });
      expect(first).toMatchObject({ values, from: undefined, revision: undefined });
    });

    it('stores the release command that has succeeded with a build', async () => {
      const appId = await harness.addApp();
      const { number } = await addRelease(appId, 'a');
      await store.setCommandDone(appId, number, 'npm run migrate');
      const added = { appId, generation: 1, desiredHash: 'b', values, commandDone: 'rake' };
      expect((await store.releases(appId)).last).toMatchObject({
        commandDone: 'npm run migrate',
        isRollback: false,
      });
      await store.addRelease(added);
      expect((await store.releases(appId)).last?.commandDone).toBe('rake');
      await addRelease(appId, 'c');
      expect((await store.releases(appId)).last?.commandDone).toBeUndefined();
    });

    it('stores the phases of a release with their times, and its revision', async () => {
      const appId = await harness.addApp();
      const { number } = await addRelease(appId, 'a');
      await store.addPhase(appId, number, 'fetching');
      await store.setRevision(appId, number, 'c0ffee');
      await store.addPhase(appId, number, 'building');
      await store.setRevision(appId, number, 'another');
      const [release] = await harness.releasesOf(appId);
      expect(release?.revision).toBe('c0ffee');
      expect(release?.phases.map(({ phase }) => phase)).toEqual(['queued', 'fetching', 'building']);
      const times = release?.phases.map(({ at }) => at) ?? [];
      expect(times.every(Number.isFinite)).toBe(true);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
    });

    it('stores what the build of a release depends on', async () => {
      const appId = await harness.addApp();
      const { number, inputs } = await addRelease(appId, 'a');
      expect(inputs).toBeUndefined();
      const found = { arguments: ['VERSION'], startCommand: true };
      await store.setBuildInputs(appId, number, found);
      expect((await store.releases(appId)).last?.inputs).toEqual(found);
    });

    it('writes a status with the generation it is about', async () => {
      const appId = await harness.addApp();
      await report(appId, 1, 'running');
      expect(await harness.statusOf(appId)).toEqual({
        status: 'syncing',
        message: 'running',
        observedGeneration: 1,
      });
    });

    it('ignores a report about an outdated generation', async () => {
      const appId = await harness.addApp();
      await report(appId, 1, 'for the first generation');
      await harness.editApp(appId, { instances: 0 });
      await report(appId, 1, 'late');
      expect(await harness.statusOf(appId)).toEqual({
        status: 'syncing',
        message: progressMessage('queued'),
        observedGeneration: 1,
      });
    });

    it('writes nothing when nothing changed', async () => {
      const appId = await harness.addApp();
      await report(appId, 1, 'same');
      const changes = await harness.changesOf(appId);
      await report(appId, 1, 'same');
      expect(await harness.changesOf(appId)).toBe(changes);
      await report(appId, 1, 'other');
      expect(await harness.changesOf(appId)).toBe(changes + 1);
    });

    it('stores which release serves, and writes nothing when it is the same', async () => {
      const appId = await harness.addApp();
      const serving = { release: 2, logName: 'app-3f2a91-4', hosts: ['shop.localhost'] };
      await store.setServing(appId, serving);
      expect((await harness.observedOf(appId)).serving).toEqual(serving);
      const changes = await harness.changesOf(appId);
      await store.setServing(appId, { ...serving });
      expect(await harness.changesOf(appId)).toBe(changes);
      await harness.editApp(appId, { instances: 0 });
      expect((await harness.observedOf(appId)).serving).toEqual(serving);
      await store.setServing(appId, undefined);
      expect((await harness.observedOf(appId)).serving).toBeUndefined();
    });

    it('reads what was written, with the app', async () => {
      const appId = await harness.addApp();
      const written = async () => (await store.app(appId))?.written;
      const serving = { release: 2, logName: 'app-3f2a91-4', hosts: ['shop.localhost'] };
      const settled = { appId, status: 'synced', message: '' } as const;
      expect(await written()).toEqual({ isSettled: false, serving: undefined });
      await store.setServing(appId, serving);
      await report(appId, 1, 'Building');
      expect(await written()).toEqual({ isSettled: false, serving });
      await store.report({ ...settled, generation: 1 });
      expect(await written()).toEqual({ isSettled: true, serving });
      await harness.editApp(appId, { instances: 0 });
      expect(await written()).toEqual({ isSettled: false, serving });
      await store.report({ ...settled, generation: 2 });
      expect(await written()).toEqual({ isSettled: true, serving });
      const retry = { kind: 'restart', inMs: 1_000 } as const;
      await store.report({ ...settled, generation: 2, retry });
      expect(await written()).toEqual({ isSettled: false, serving });
    });

    it('stores when a failed app is tried again, until the next report', async () => {
      const appId = await harness.addApp();
      const failed = { appId, generation: 1, status: 'backoff', message: 'crashed' } as const;
      await store.report({ ...failed, retry: { kind: 'restart', inMs: 1_000 } });
      const { retry } = await harness.observedOf(appId);
      expect(retry?.kind).toBe('restart');
      await store.report({ ...failed, retry: { kind: 'restart', inMs: 61_000 } });
      const later = (await harness.observedOf(appId)).retry;
      expect(Date.parse(later?.at ?? '') - Date.parse(retry?.at ?? '')).toBeGreaterThanOrEqual(
        60_000,
      );
      await store.report(failed);
      expect((await harness.observedOf(appId)).retry).toBeUndefined();
    });

    function addRelease(appId: string, desiredHash: string, from?: NewRelease['from']) {
      return store.addRelease({ appId, generation: 1, desiredHash, values, from });
    }

    function report(appId: string, generation: number, message: string) {
      return store.report({ appId, generation, status: 'syncing', message });
    }
  });
}
