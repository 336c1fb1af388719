import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import { canMount, mountSmallDisk } from '../../../test/small-disk.ts';
import { createImage, removeImage } from '../../sandbox/disk/disk-image.ts';
import { mountImage, unmountFolder } from '../../sandbox/disk/mount-image.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';
import type { ProcessEngine } from './engine.ts';

const { signal } = new AbortController();
const MIB = 1024 ** 2;
const DISK_BYTES = 160 * MIB;

/** Runs the function body of each request in the app. */
const RUNS_REQUESTS = `(async () => {
  let body = '';
  for await (const chunk of request) body += chunk;
  try {
    return (await new Function('require', 'process', body)(require, process)) ?? 'done';
  } catch (error) {
    return error.code ?? String(error);
  }
})()`;
const FILL = (folder: string) => `
  const fs = require('node:fs');
  const file = fs.openSync('${folder}/filler', 'w');
  for (;;) fs.writeSync(file, Buffer.alloc(${MIB}, 1));`;

/** Only root can give an app a disk. */
describe.skipIf(!canMount)('the disk limit of an isolated app', () => {
  let bench: EngineBench;
  let engine: ProcessEngine;

  beforeAll(async () => {
    bench = await createEngineBench();
    engine = await bench.engine({ limits: { ...bench.deps.limits, diskBytes: DISK_BYTES } });
  });
  afterAll(() => bench.clear());

  it.each([
    ['bytes', 'f=0; while head -c 20000000 /dev/zero > $f; do f=$((f+1)); done; exit 1'],
    ['files', 'mkdir d && cd d && seq 1 100000 | xargs touch'],
  ])('end a build that fills the disk of its app with %s', async (_, build) => {
    const spec = bench.spec(
      await bench.repository({
        'package.json': JSON.stringify({ scripts: { start: 'x', build } }),
      }),
    );
    await expect(engine.build(spec, () => {}, signal)).rejects.toMatchObject({
      reason: 'app-disk-full',
      evidence: expect.arrayContaining([
        'The releases, the home folder and the temporary files of an app may use 0.2 GiB together',
      ]),
    });
  });

  it('let an app start again that has filled its home and its temporary folder', async () => {
    const spec = bench.spec(await bench.repository(nodeApp(RUNS_REQUESTS)));
    await engine.build(spec, () => {}, signal);
    const first = await start(spec);
    expect(await runIn(first, FILL('/home/app'))).toBe('ENOSPC');
    expect(await runIn(first, FILL('/tmp'))).toBe('ENOSPC');
    const second = await start(spec);
    expect(await runIn(second, `require('node:fs').rmSync('/home/app/filler');`)).toBe('done');
    expect(await runIn(second, `require('node:fs').writeFileSync('/tmp/a', 'a');`)).toBe('done');
    await engine.removeApp(spec.appId, signal);
  });

  it('frees the temporary files of exited instances when the next one starts', async () => {
    const spec = bench.spec(await bench.repository(nodeApp(RUNS_REQUESTS)));
    await engine.build(spec, () => {}, signal);
    const first = await start(spec);
    const used = async () =>
      (await engine.usedBytes?.({ ownerId: spec.ownerId, appIds: [spec.appId] }, signal)) ?? 0;
    const before = await used();
    await runIn(first, `require('node:fs').writeFileSync('/tmp/a', Buffer.alloc(${40 * MIB}, 1))`);
    await runIn(first, 'process.abort()').catch(() => {});
    await expect
      .poll(async () => (await engine.observe(spec.appId, signal)).instances[0]?.state.kind)
      .toBe('exited');
    const second = await start(spec);
    expect(await runIn(second, `return require('node:fs').readdirSync('/tmp').length`)).toBe(0);
    await expect.poll(used).toBeLessThan(before + 20 * MIB);
    await engine.removeApp(spec.appId, signal);
  });

  it('includes the output of the app: neither reserved nor rewritten parts of it fill the machine', async () => {
    const spec = bench.spec(await bench.repository(nodeApp(RUNS_REQUESTS)));
    await engine.build(spec, () => {}, signal);
    const instance = await start(spec);
    const reserve = `require('node:child_process').execFileSync(
      'fallocate', ['--keep-size', '--length', '200M', '/proc/self/fd/1'],
      { stdio: ['ignore', 1, 'ignore'] })`;
    expect(await runIn(instance, reserve)).not.toBe('done');
    expect(await bytesOfOutput(spec, instance)).toBeLessThan(MIB);
    expect(await runIn(instance, `require('node:fs').readFileSync('/proc/self/fd/1')`)).toBe(
      'EACCES',
    );
    // As if 300 MB were written and read, then the same part is written again.
    const rewrite = `
      const fs = require('node:fs');
      fs.ftruncateSync(1, 300e6);
      const again = fs.openSync('/dev/stdout', fs.constants.O_WRONLY);
      for (let at = 0; at < 200e6; at += 1e6) fs.writeSync(again, Buffer.alloc(1e6, 1), 0, 1e6, at);`;
    expect(await runIn(instance, rewrite)).toBe('done');
    await expect.poll(() => bytesOfOutput(spec, instance)).toBeLessThan(64 * MIB);
    await engine.removeApp(spec.appId, signal);
  });

  it('is not blamed when the machine itself is short of space', async () => {
    const dataDir = `${bench.dataDir}-short`;
    const disk = await mountSmallDisk(dataDir, 900);
    const short = await bench.engine({ dataDir });
    const spec = bench.spec(await bench.repository(nodeApp()));
    await expect(short.build(spec, () => {}, signal)).rejects.toMatchObject({
      reason: 'disk-full',
    });
    await short.removeApp(spec.appId, signal);
    await short.close();
    await disk.unmount();
  });

  it('is lower when the machine runs out of space: the app that fills it is stopped, others go on', async () => {
    const dataDir = `${bench.dataDir}-filled`;
    const mount = { image: `${dataDir}.img`, folder: dataDir };
    await createImage({ image: mount.image, sizeBytes: 1_500 * MIB }, signal);
    await mountImage(mount, signal);
    onTestFinished(async () => {
      await unmountFolder(dataDir);
      await removeImage(mount.image);
    });
    const filled = await bench.engine({ dataDir });
    const url = await bench.repository(nodeApp(RUNS_REQUESTS));
    const [spec, other] = [bench.spec(url), bench.spec(url)];
    for (const app of [spec, other]) await filled.build(app, () => {}, signal);
    const [attacker, victim] = [await start(spec, filled), await start(other, filled)];
    const filling = runIn(attacker, FILL('/tmp')).catch(() => 'stopped');
    await expect
      .poll(async () => (await filled.observe(spec.appId, signal)).instances[0]?.state.kind, {
        timeout: 20_000,
      })
      .toBe('exited');
    const write = `require('node:fs').writeFileSync('/home/app/a', Buffer.alloc(1e6, 1))`;
    expect(await filling).toBe('stopped');
    expect(await runIn(victim, write)).toBe('done');
    await expect(filled.startInstance(spec, signal)).rejects.toMatchObject({
      reason: 'disk-full',
      evidence: [expect.stringMatching(/^The app was stopped: it wrote \d+ MiB after/)],
    });
    for (const { appId } of [spec, other]) await filled.removeApp(appId, signal);
    await filled.close();
  });

  async function start(spec: ReleaseSpec, on = engine): Promise<Instance> {
    const instance = await on.startInstance(spec, signal);
    await on.waitUntilListening(instance, spec, signal);
    return instance;
  }

  async function bytesOfOutput({ appId }: ReleaseSpec, { id }: Instance): Promise<number> {
    const folder = join(bench.dataDir, 'records', appId, 'instances', id);
    expect(await readdir(folder)).toContain('output');
    return (await stat(join(folder, 'output'))).blocks * 512;
  }
});

async function runIn({ address }: Instance, body: string): Promise<unknown> {
  const response = await fetch(`http://${address.host}:${address.port}/`, { method: 'POST', body });
  return await response.json();
}
