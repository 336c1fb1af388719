import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import { canMount } from '../../../test/small-disk.ts';
import { findLoopDevice } from '../../sandbox/disk/loop-devices.ts';
import { mountImage, unmountFolder } from '../../sandbox/disk/mount-image.ts';
import type { ReleaseSpec } from '../engine.ts';
import type { ProcessEngine } from './engine.ts';
import { appLayout } from './layout.ts';

const { signal } = new AbortController();

/** Only root can give an app a disk. */
describe.skipIf(!canMount)('releases on a disk with errors', () => {
  let bench: EngineBench;
  let engine: ProcessEngine;

  beforeAll(async () => {
    bench = await createEngineBench();
    engine = await bench.engine();
  });
  afterAll(() => bench.clear());

  const imageOf = ({ appId }: ReleaseSpec) => appLayout(bench.dataDir, appId).disk;

  async function start(spec: ReleaseSpec) {
    const instance = await engine.startInstance(spec, signal);
    await engine.waitUntilListening(instance, spec, signal);
    return instance;
  }

  it('are complete if they were built before the error', async () => {
    const spec = bench.spec(await bench.repository(nodeApp()));
    await engine.build(spec, () => {}, signal);
    const instance = await start(spec);
    const next = { ...spec, number: spec.number + 1 };
    await engine.build(next, () => {}, signal);
    const device = basename((await findLoopDevice(imageOf(spec)))?.path ?? '');
    await writeFile(`/sys/fs/ext4/${device}/trigger_fs_error`, 'simulated');
    await engine.stopInstance(spec.appId, instance, signal);
    await start(next);
    await engine.removeApp(spec.appId, signal);
  });

  it('are built again if their files are lost', async () => {
    const spec = bench.spec(await bench.repository(nodeApp()));
    await engine.build(spec, () => {}, signal);
    const next = { ...spec, number: spec.number + 1 };
    await engine.reuseBuild(next, spec.number, signal);
    const folder = `${bench.dataDir}-lost`;
    await mountImage({ image: imageOf(spec), folder }, signal);
    await rm(join(folder, 'releases', String(spec.number)), { recursive: true });
    await unmountFolder(folder);
    await expect(engine.startInstance(next, signal)).rejects.toMatchObject({
      reason: 'engine-failed',
    });
    expect(await engine.observe(spec.appId, signal)).toMatchObject({ built: [] });
    await engine.build(next, () => {}, signal);
    await start(next);
    await engine.removeApp(spec.appId, signal);
  });
});
