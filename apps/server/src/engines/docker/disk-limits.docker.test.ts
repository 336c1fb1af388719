import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SERVES,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { mountSmallImage } from '../../../test/small-disk.ts';
import { TIERS } from '../../../test/tiers.ts';
import { createOwnerLimits } from '../../apps/account-usage.ts';
import { NO_LIMITS } from '../../apps/quota.ts';
import type { ReleaseSpec } from '../engine.ts';
import type { DockerEngine } from './engine.ts';

const MIB = 1024 ** 2;

/** Serves, then attacks. */
const serveAnd = (attack: string) =>
  `CMD ${JSON.stringify(['sh', '-c', `httpd -p $PORT; ${attack}; sleep 1000`])}`;

describe.skipIf(!canRunDocker)('the disk of a machine with Docker', () => {
  let bench: DockerBench;
  let engine: DockerEngine;
  let dockerRoot: string;
  let removeDisk: () => Promise<void>;
  let clockMs = Date.now();

  beforeAll(async () => {
    bench = await createDockerBench({
      async prepareData(folder) {
        dockerRoot = folder;
        removeDisk = await mountSmallImage(folder, 1_600);
      },
    });
    engine = await bench.engine({ clock: { now: () => clockMs } });
  });
  afterAll(async () => {
    await bench.clear();
    await removeDisk();
    expect(bench.errors).toEqual([]);
  });

  it.each([
    ['its files', [], 'cat /dev/zero > /large'],
    ['a deleted file', [], 'exec 3> /large; busybox rm /large; cat /dev/zero >&3'],
    [
      'empty files',
      ['RUN mkdir /files'],
      'cd /files; i=0; while echo; do busybox seq $i $((i+5000)) | busybox xargs busybox touch; i=$((i+5000)); done',
    ],
  ])('is protected from an app that fills it with %s', async (_, lines, attack) => {
    const before = await freeBytes(dockerRoot);
    const victim = await bench.spec([SERVES]);
    await buildAndStart(engine, victim);
    const spec = await bench.spec([...lines, serveAnd(attack)]);
    await engine.build(spec, () => {}, SIGNAL);
    await engine.startInstance(spec, SIGNAL);
    await expect
      .poll(async () => (await engine.observe(spec.appId, SIGNAL)).instances, { timeout: 60_000 })
      .toEqual([]);
    await expect(engine.startInstance(spec, SIGNAL)).rejects.toMatchObject({
      reason: 'disk-full',
      evidence: [expect.stringMatching(/^The app was stopped: it wrote \d+ MiB after/)],
    });
    // The caches went before.
    expect(await usedBy(engine, { ...victim, appId: 'none' })).toBe(0);
    const { instances } = await engine.observe(victim.appId, SIGNAL);
    expect(instances).toMatchObject([{ state: { kind: 'running' } }]);
    for (const { appId } of [spec, victim]) await engine.removeApp(appId, SIGNAL);
    await eventually(async () => (await freeBytes(dockerRoot)) > before - 200 * MIB, 'space');
  });

  it('is protected from an image that does not fit', async () => {
    const before = await freeBytes(dockerRoot);
    const spec = await bench.spec(['RUN head -c 900000000 /dev/zero > /large', SERVES]);
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'disk-full',
    });
    expect((await engine.observe(spec.appId, SIGNAL)).built).toEqual([]);
    await eventually(async () => (await freeBytes(dockerRoot)) > before - 200 * MIB, 'space');
  });

  it('is protected from a build, whose cache is removed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longshore-short-'));
    const dataDir = join(folder, 'data');
    const remove = await mountSmallImage(dataDir, 1_800);
    onTestFinished(async () => {
      await remove();
      await rm(folder, { recursive: true });
    });
    const short = await bench.engine({ dataDir, installation: randomUUID() });
    const spec = await bench.spec(['RUN cat /dev/zero > /large', SERVES]);
    await expect(short.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'disk-full',
    });
    await eventually(async () => (await usedBy(short, spec)) === 0, 'the cache to be removed');
    await short.build(await bench.spec([SERVES]), () => {}, SIGNAL);
    await short.close();
  });

  it('is measured: layers that images share once, files of containers, and caches', async () => {
    const layer = 'RUN head -c 30000000 /dev/zero > /shared';
    const first = await bench.spec([layer, SERVES], { ownerId: randomUUID() });
    const ofApp = () => usedBy(engine, { ...first, ownerId: 'nobody' });
    const ofCaches = () => usedBy(engine, { ...first, appId: 'none' });
    expect(await ofCaches()).toBe(0);
    await engine.build(first, () => {}, SIGNAL);
    expect(await ofCaches()).toBeGreaterThan(30e6);
    const ofImage = await ofApp();
    expect(ofImage).toBeGreaterThan(30e6);
    expect(ofImage).toBeLessThan(40e6);

    const writes = 'head -c 9000000 /dev/zero > /files/large; head -c 5000000 /dev/zero > /own';
    const command = JSON.stringify(['sh', '-c', `${writes}; exec httpd -f -p $PORT`]);
    const { origin } = await bench.spec([layer, 'RUN mkdir /files', `CMD ${command}`]);
    await buildAndStart(engine, { ...first, number: 2, origin });
    await engine.reuseBuild({ ...first, number: 3 }, 2, SIGNAL);
    expect((await ofApp()) - ofImage).toBeLessThan(MIB);
    clockMs += 61_000;
    expect((await ofApp()) - ofImage).toBeGreaterThan(14e6);
    expect((await ofApp()) - ofImage).toBeLessThan(15e6);

    await engine.pruneReleases(first.appId, [3], SIGNAL);
    expect(await ofApp()).toBeGreaterThan(ofImage);
    await engine.removeApp(first.appId, SIGNAL);
    clockMs += 61_000;
    expect(await ofApp()).toBe(0);
  });

  it('is limited for each account', async () => {
    const quotaBytes = 60 * MIB;
    const spec = await bench.spec(['RUN head -c 80000000 /dev/zero > /large', SERVES]);
    await engine.build(spec, () => {}, SIGNAL);
    const limits = createOwnerLimits({
      db: undefined as never,
      tiers: TIERS,
      quotas: { quotaOf: async () => ({ ...NO_LIMITS, diskBytes: quotaBytes }) },
      apps: { idsOnEngine: async (ownerId) => (ownerId === spec.ownerId ? [spec.appId] : []) },
      engine,
      uploads: { usedBytes: async () => 0 },
    });
    expect(await limits.diskProblemOf(spec.ownerId, SIGNAL)).toBe('0.1 GB of 0.1 GB in use');
    expect(await limits.diskProblemOf('somebody', SIGNAL)).toBeUndefined();
    await engine.removeApp(spec.appId, SIGNAL);
    expect(await limits.diskProblemOf(spec.ownerId, SIGNAL)).toBeUndefined();
  });

  async function usedBy(on: DockerEngine, { ownerId, appId }: ReleaseSpec): Promise<number> {
    return (await on.usedBytes?.({ ownerId, appIds: [appId] }, SIGNAL)) ?? Number.NaN;
  }
});

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
