import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SHELL_IMAGE } from '../../../../test/engines/docker/base-image.ts';
import {
  createDockerBench,
  type DockerBench,
  SERVES,
  SIGNAL,
} from '../../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../../test/engines/docker/docker-daemon.ts';
import { findProcessesByArgv } from '../../../../test/engines/docker/find-processes.ts';
import { createOperator, type Operator } from '../../../../test/engines/docker/operator.ts';
import { type Registry, startRegistry } from '../../../../test/engines/docker/registry.ts';
import {
  copyLayer,
  type Layer,
  readImage,
  storeImage,
  storeLayer,
} from '../../../../test/engines/docker/registry-storage.ts';
import { openTestImages } from '../../../../test/engines/docker/test-images.ts';
import { listLoopDevices } from '../../../sandbox/disk/loop-devices.ts';
import type { ReleaseSpec } from '../../engine.ts';
import type { DockerApi } from '../docker-api.ts';
import type { DockerEngine } from '../engine.ts';

const MIB = 1024 ** 2;
const ADA = randomUUID();
const MALLORY = randomUUID();
const LIMITS = {
  builderDiskBytes: 400 * MIB,
  buildMemoryBytes: 256 * MIB,
  imageBytes: 100 * MIB,
  imageFiles: 5_000,
};

describe.skipIf(!canRunDocker)('a build that takes too much', () => {
  let bench: DockerBench;
  let engine: DockerEngine;
  let operator: Operator;
  let registry: Registry;
  let storage: string;
  let base: Layer[];

  beforeAll(async () => {
    storage = await mkdtemp(join(tmpdir(), 'longshore-hostile-registry-'));
    registry = await startRegistry({ storage });
    bench = await createDockerBench({ registry });
    operator = createOperator(bench.daemon.api);
    engine = await openEngine();
    const source = await openTestImages();
    ({ layers: base } = await readImage(source, `library/${SHELL_IMAGE}`));
    for (const layer of base) await copyLayer(source, storage, layer);
    for (const ownerId of [ADA, MALLORY])
      await engine.build(await specOf(ownerId), () => {}, SIGNAL);
  });
  beforeEach(() => {
    bench.errors.length = 0;
  });
  afterAll(async () => {
    await bench.clear();
    await registry.stop();
    await rm(storage, { recursive: true });
  });

  it.each([
    ['memory', 'RUN head -c 900000000 /dev/zero | busybox tail', ['build-out-of-memory']],
    [
      'memory for files',
      'RUN --mount=type=tmpfs,target=/m head -c 900000000 /dev/zero > /m/file',
      ['build-out-of-memory'],
    ],
    [
      'disk space',
      'RUN busybox dd if=/dev/zero of=/file bs=1000000 count=900',
      ['build-disk-full'],
    ],
    [
      'disk space once it is packed',
      'RUN busybox truncate -s 3000000000 /file',
      ['build-disk-full', 'image-too-large'],
    ],
    [
      'files',
      'RUN i=0; while [ $i -lt 8000 ]; do : > /tmp/$i; i=$((i+1)); done',
      ['image-too-large'],
    ],
  ])('of %s fails, while others build', async (_, step, reasons) => {
    const [failure] = await Promise.all([
      reasonOf(await specOf(MALLORY, [step])),
      engine.build(await specOf(ADA, ['RUN echo works']), () => {}, SIGNAL),
    ]);
    expect(reasons).toContain(failure);
    await engine.build(await specOf(MALLORY), () => {}, SIGNAL);
  });

  it('of processes gets its limit, and ends as a whole', async () => {
    const spec = await specOf(MALLORY, [
      'RUN bomb() { sleep 4545 & bomb; bomb; }; bomb 2>/dev/null; echo the limit: $(busybox ls /proc | busybox grep -c ^[0-9])',
    ]);
    await engine.build(spec, () => {}, SIGNAL).catch(() => {});
    expect(await findProcessesByArgv('sleep', '4545')).toEqual([]);
  });

  it('by a base image that unpacks to too much fails', async () => {
    const large = await storeLayer(storage, async (root) => {
      await writeFile(join(root, 'large'), '');
      await truncate(join(root, 'large'), 600 * MIB);
    });
    expect(large.size).toBeLessThan(4 * MIB);
    await storeImage(storage, { name: 'mallory/large:1', layers: [...base, large] });
    expect(await reasonOf(imageSpec('mallory/large:1'))).toBe('image-too-large');
    const unpacking = await specOf(MALLORY, ['RUN true'], `${registry.host}/mallory/large:1`);
    expect(await reasonOf(unpacking)).toBe('build-disk-full');
    const many = await storeLayer(storage, async (root) => {
      for (let at = 0; at < 6_000; at += 1) await writeFile(join(root, String(at)), '');
    });
    await storeImage(storage, { name: 'mallory/many:1', layers: [...base, many] });
    expect(await reasonOf(imageSpec('mallory/many:1'))).toBe('image-too-large');
  });

  it('by naming layers of others in its image fails, though the engine has them', async () => {
    const secret = await storeLayer(storage, (root) =>
      writeFile(join(root, 'secret'), randomUUID()),
    );
    await storeImage(storage, { name: 'ada/private:1', layers: [...base, secret] });
    const own = imageSpec('ada/private:1', ADA);
    await engine.build(own, () => {}, SIGNAL);
    const before = await operator.images();
    const other = await storeLayer(storage, (root) => writeFile(join(root, 'other'), randomUUID()));
    const forged = { ...other, diffId: secret.diffId };
    await storeImage(storage, { name: 'mallory/forged:1', layers: [...base, forged] });
    for (const spec of [
      imageSpec('mallory/forged:1'),
      await specOf(MALLORY, ['LABEL a=b'], `${registry.host}/mallory/forged:1`),
    ]) {
      await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
        reason: 'build-failed',
        evidence: ['A layer of the image does not have the digest it claims'],
      });
    }
    expect(await operator.images()).toEqual(before);
    await storeImage(storage, { name: 'mallory/honest:1', layers: [...base, other] });
    await engine.build(imageSpec('mallory/honest:1'), () => {}, SIGNAL);
    expect((await engine.observe(own.appId, SIGNAL)).built).toEqual([1]);
  });

  it('of nothing fails with a message', async () => {
    const url = await bench.repositories.repository({ Dockerfile: 'FROM scratch\nLABEL a=b\n' });
    const spec = bench.repositories.spec(url, { ownerId: MALLORY });
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'build-failed',
      evidence: ['The image is empty'],
    });
  });

  it('of time ends, even if it ignores signals', async () => {
    await bench.closeEngines();
    engine = await openEngine({ buildMs: 3_000 });
    const spec = await specOf(MALLORY, ["RUN trap '' TERM INT HUP; sleep 4646; sleep 4646"]);
    expect(await reasonOf(spec)).toBe('build-timed-out');
    expect(await findProcessesByArgv('sleep', '4646')).toEqual([]);
    expect(await leftOf(MALLORY)).toEqual([]);
  });

  it('to destroy its own cache gets a new one, and no privileges', async () => {
    await bench.closeEngines();
    await damageCache(MALLORY);
    engine = await openEngine();
    await engine.build(await specOf(MALLORY, ['RUN echo works']), () => {}, SIGNAL);
    // It was really destroyed.
    expect(bench.errors.map(String)).toContain('Error: A rootless builder does not start');
    const [name = ''] = await leftOf(MALLORY);
    const { HostConfig } = await operator.inspect<{ HostConfig: { Privileged: boolean } }>(
      `/containers${name}/json`,
    );
    expect(HostConfig.Privileged).toBe(false);
  });

  // The last one precedes the load, which another thread does.
  it.each(['/containers/create', '/archive', '/start', '/exec', '/images/json'])(
    'leaves nothing when it is cancelled during %s',
    async (phase) => {
      await bench.closeEngines();
      const ownerId = randomUUID();
      const stop = new AbortController();
      engine = await openEngine({}, abortingAt(phase, stop));
      const spec = await specOf(ownerId, ['RUN echo works']);
      await expect(engine.build(spec, () => {}, stop.signal)).rejects.toThrow();
      expect(stop.signal.aborted).toBe(true);
      expect(await leftOf(ownerId)).toEqual([]);
      expect((await engine.observe(spec.appId, SIGNAL)).built).toEqual([]);
      expect(await engine.listApps(SIGNAL)).not.toContain(spec.appId);
      expect(await readdir(join(bench.deps.dataDir, 'checkouts'))).toEqual([]);
      await eventually(async () => (await devicesOf(ownerId)).length === 0, 'the device');
    },
  );

  it('ends with a killed Docker Engine, and the next one builds', async () => {
    await bench.closeEngines();
    engine = await openEngine();
    const failing = reasonOf(await specOf(MALLORY, ['RUN sleep 4848']));
    const isBuilding = async () => (await findProcessesByArgv('sleep', '4848')).length > 0;
    await expect.poll(isBuilding, { timeout: 30_000 }).toBe(true);
    await bench.daemon.kill();
    expect(await failing).toBe('engine-down');
    await bench.daemon.startAgain();
    await engine.build(await specOf(MALLORY, ['RUN echo works']), () => {}, SIGNAL);
    expect(await isBuilding()).toBe(false);
  });

  async function openEngine(limits = {}, docker = bench.daemon.api): Promise<DockerEngine> {
    return await bench.engine({ docker, limits: { ...bench.deps.limits, ...LIMITS, ...limits } });
  }

  function imageSpec(name: string, ownerId = MALLORY): ReleaseSpec {
    const origin = { kind: 'image', image: `${registry.host}/${name}` } as const;
    return bench.repositories.spec('', { ownerId, origin });
  }

  async function specOf(
    ownerId: string,
    lines: string[] = [],
    from = SHELL_IMAGE,
  ): Promise<ReleaseSpec> {
    const Dockerfile = [`FROM ${from}`, ...lines, SERVES, ''].join('\n');
    return bench.repositories.spec(await bench.repositories.repository({ Dockerfile }), {
      ownerId,
    });
  }

  async function reasonOf(spec: ReleaseSpec): Promise<unknown> {
    return await engine
      .build(spec, () => {}, SIGNAL)
      .then(
        () => 'built',
        (error: { reason?: string }) => error.reason ?? error,
      );
  }

  /** The names of the builders of an owner. */
  async function leftOf(ownerId: string): Promise<string[]> {
    const containers = await operator.containers();
    return containers.flatMap(({ Names }) => Names).filter((name) => name.includes(ownerId));
  }

  async function devicesOf(ownerId: string): Promise<string[]> {
    const devices = await listLoopDevices();
    return devices.map(({ image }) => image).filter((image) => image.includes(ownerId));
  }

  /** As a build could that broke out of its steps into buildkitd. */
  async function damageCache(ownerId: string): Promise<void> {
    await eventually(async () => (await devicesOf(ownerId)).length === 0, 'the device');
    const run = promisify(execFile);
    const folder = await mkdtemp(join(tmpdir(), 'longshore-damaged-'));
    const image = join(bench.deps.dataDir, 'builders', `${ownerId}-0.img`);
    await run('mount', ['-o', 'loop', '--', image, folder]);
    try {
      const files = await readdir(folder, { recursive: true });
      const databases = files.filter((name) => /^[^/]+(?:\/[^/]+)?\.db$/.test(name));
      expect(databases).not.toEqual([]);
      for (const name of databases) await writeFile(join(folder, name), 'x'.repeat(100_000));
    } finally {
      await run('umount', ['--', folder]);
      await rm(folder, { recursive: true });
    }
  }

  /** Aborts while the engine works on the first request of this kind. */
  function abortingAt(phase: string, stop: AbortController): DockerApi {
    const { api } = bench.daemon;
    const watched =
      <Args extends unknown[], Result>(
        send: (...args: Args) => Promise<Result>,
        pathOf: (args: Args) => string,
      ) =>
      async (...args: Args): Promise<Result> => {
        const sent = send(...args);
        if (pathOf(args).endsWith(phase)) setTimeout(() => stop.abort(), 20);
        return await sent;
      };
    return {
      ...api,
      call: watched(api.call, ([, path]) => path) as DockerApi['call'],
      follow: watched(api.follow, ([, path]) => path),
      hijack: watched(api.hijack, ([path]) => path),
    };
  }
});
