import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { systemClock } from '@longshore/edge-contract';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BUILD_MS,
  createDockerBench,
  type DockerBench,
  SERVES,
  SIGNAL,
} from '../../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../../test/engines/docker/docker-daemon.ts';
import { findProcessesByArgv } from '../../../../test/engines/docker/find-processes.ts';
import { createOperator, type Operator } from '../../../../test/engines/docker/operator.ts';
import { ROOT_BUILDER_IMAGE } from '../../../../test/engines/docker/test-images.ts';
import { listLoopDevices } from '../../../sandbox/disk/loop-devices.ts';
import { cpuFiles, createBuilderPriority, kernelFiles } from './builder-priority.ts';

const MIB = 1024 ** 2;
/** The content of /proc/stat of an idle machine. */
const idleMachine = () => `cpu  0 0 0 ${Math.round(performance.now())} 0 0 0 0 0 0\n`;

describe.skipIf(!canRunDocker)('a builder', () => {
  let bench: DockerBench;
  let operator: Operator;

  beforeAll(async () => {
    bench = await createDockerBench();
    operator = createOperator(bench.daemon.api);
  });
  afterAll(() => bench.clear());

  it('fails with build-disk-full when a build writes too much, and the next build works', async () => {
    const engine = await bench.engine({
      limits: { ...bench.deps.limits, builderDiskBytes: 200 * MIB },
    });
    const spec = await bench.spec([
      'RUN busybox dd if=/dev/zero of=/large bs=1000000 count=400',
      SERVES,
    ]);
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'build-disk-full',
    });
    const small = await bench.spec([SERVES], { ownerId: spec.ownerId });
    await engine.build(small, () => {}, SIGNAL);
    await bench.closeEngines();
  });

  it('fails with image-too-large when the layers unpack to too much', async () => {
    const engine = await bench.engine({ limits: { ...bench.deps.limits, imageBytes: 20 * MIB } });
    const spec = await bench.spec(['RUN head -c 40000000 /dev/zero > /large', SERVES]);
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'image-too-large',
    });
    expect((await engine.observe(spec.appId, SIGNAL)).built).toEqual([]);
    await bench.closeEngines();
  });

  it('fails with builder-image-missing when its image cannot be pulled', async () => {
    const builderImage = `${bench.images.host}/nobody/builder:1`;
    const engine = await bench.engine({ builderImage });
    const spec = await bench.spec([SERVES]);
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'builder-image-missing',
      evidence: expect.arrayContaining([`LONGSHORE_BUILDER_IMAGE is ${builderImage}`]),
    });
    await bench.closeEngines();
  });

  it('limits the processes of a build, and cancels it', async () => {
    const engine = await bench.engine();
    const stop = new AbortController();
    const spec = await bench.spec(['RUN echo begun; bomb() { bomb | bomb & }; bomb; sleep 4343']);
    const building = engine.build(spec, () => {}, stop.signal);
    const hasStarted = async () => (await findProcessesByArgv('sleep', '4343')).length > 0;
    const started = expect.poll(hasStarted, { timeout: BUILD_MS }).toBe(true);
    await Promise.race([building, started]);
    stop.abort();
    await expect(building).rejects.toThrow();
    expect(await findProcessesByArgv('sleep', '4343')).toEqual([]);
    expect(await builders()).toEqual([]);
    await bench.closeEngines();
  });

  it('stops when it has no work, and leaves no device', async () => {
    const engine = await bench.engine({ limits: { ...bench.deps.limits, builderIdleMs: 100 } });
    await engine.build(await bench.spec([SERVES]), () => {}, SIGNAL);
    await eventually(async () => (await builders()).length === 0, 'the builder to stop');
    await eventually(async () => (await loopDevices()).length === 0, 'the loop device to be free');
    await bench.closeEngines();
  });

  it('runs when nothing else needs CPU time, in a group beside those of apps', async () => {
    const engine = await bench.engine();
    await engine.build(await bench.spec([SERVES]), () => {}, SIGNAL);
    const { State, HostConfig } = await inspectBuilder();
    expect(HostConfig.CgroupParent).toMatch(/^(\/|-\.slice)$/);
    const priority = createBuilderPriority(systemClock, {
      ...kernelFiles,
      // The machine of the test may be busy.
      read: async (path) => (path === '/proc/stat' ? idleMachine() : await kernelFiles.read(path)),
    });
    const { join, end } = await priority.lower(State.Pid);
    const files = cpuFiles(await readFile(`/proc/${State.Pid}/cgroup`, 'utf8'));
    const isIdle = async () => (await readFile(files?.idle ?? '', 'utf8')) === '1\n';
    await eventually(isIdle, 'the priority');
    const copying = spawn('sleep', ['60']);
    await join(copying.pid ?? 0);
    expect(await readFile(`/proc/${copying.pid}/cgroup`, 'utf8')).toContain(
      basename(dirname(files?.idle ?? '')),
    );
    copying.kill();
    end();
    await bench.closeEngines();
  });

  it('is removed by the next server when the last one was killed', async () => {
    const first = await bench.engine();
    const spec = await bench.spec([SERVES]);
    await first.build(spec, () => {}, SIGNAL);
    expect(await builders()).toHaveLength(1);
    await bench.engine();
    await eventually(async () => (await builders()).length === 0, 'the builder to be removed');
    // The first server finds out that its builder is gone.
    await first.build({ ...spec, number: 2 }, () => {}, SIGNAL);
    await bench.closeEngines();
    expect(await builders()).toEqual([]);
  });

  it('is root if its image has no rootlesskit, with the same limits and without devices', async () => {
    const builderImage = `${bench.images.host}/${ROOT_BUILDER_IMAGE}`;
    const limits = { ...bench.deps.limits, buildMemoryBytes: 200 * MIB };
    const engine = await bench.engine({ builderImage, limits });
    // A device of the machine can be named, but not opened.
    const spec = await bench.spec(['RUN busybox mknod /loop b 7 0 && ! head -c 1 /loop', SERVES]);
    await engine.build(spec, () => {}, SIGNAL);
    expect(await inspectBuilder()).toMatchObject({
      HostConfig: { Privileged: false, Binds: null, NetworkMode: 'none' },
    });
    const greedy = await bench.spec(['RUN head -c 400000000 /dev/zero | busybox tail'], {
      ownerId: spec.ownerId,
    });
    await expect(engine.build(greedy, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'build-out-of-memory',
    });
    await bench.closeEngines();
  });

  async function inspectBuilder() {
    const [name = ''] = await builders();
    return await operator.inspect<{ State: { Pid: number }; HostConfig: { CgroupParent: string } }>(
      `/containers${name}/json`,
    );
  }

  async function builders(): Promise<string[]> {
    const containers = await operator.containers();
    return containers.flatMap(({ Names }) => Names).filter((name) => name.includes('-builder-'));
  }

  async function loopDevices(): Promise<string[]> {
    const images = (await listLoopDevices()).map(({ image }) => image);
    return images.filter((image) => image.startsWith(`${bench.deps.dataDir}/`));
  }
});
