import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lchown, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import { run } from '../../processes/run.ts';
import type { Instance } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import type { ProcessEngine } from './engine.ts';

const { signal } = new AbortController();
/** Nobody's uid in particular, and no app's. */
const STRANGER = 54_321;

/** Only root can give apps users of their own; elsewhere there is one account and nothing to keep apart. */
describe.runIf(process.getuid?.() === 0)('an app of its own user', () => {
  let bench: EngineBench;
  let engine: ProcessEngine;
  let spy: Instance;
  let victimPid: number;
  let victimId: string;

  beforeAll(async () => {
    bench = await createEngineBench();
    engine = await bench.engine();
    const secrets = join(bench.dataDir, 'keys');
    await mkdir(secrets, { mode: 0o700 });
    await writeFile(join(secrets, 'signing.key'), 'secret');
    const [victimSpec, victim] = await startApp('process.pid', { TOKEN: 'secret' });
    victimId = victimSpec.appId;
    victimPid = Number(await ask(victim, '/'));
    const look = `(() => {
      const [action, path] = JSON.parse(decodeURIComponent(request.url.slice(1)));
      try { return String(require('node:fs')[action](path)); } catch (error) { return error.code; }
    })()`;
    [, spy] = await startApp(look, {});
  });
  afterAll(() => bench.clear());

  it.each<[what: string, action: string, path: () => string]>([
    ['the keys', 'readFileSync', () => join(bench.dataDir, 'keys/signing.key')],
    ['the list of the home', 'readdirSync', () => bench.dataDir],
    ['the records', 'readdirSync', () => join(bench.dataDir, 'records')],
    ['the list of apps', 'readdirSync', () => join(bench.dataDir, 'apps')],
    ["another app's folder", 'readdirSync', () => join(bench.dataDir, 'apps', victimId)],
    [
      "another app's source",
      'readFileSync',
      () => join(bench.dataDir, 'apps', victimId, 'releases/1/server.js'),
    ],
    ["another app's environment", 'readFileSync', () => `/proc/${victimPid}/environ`],
    ["the server's environment", 'readFileSync', () => `/proc/${process.pid}/environ`],
  ])('cannot read %s', async (_, action, path) => {
    expect(await peek(action, path())).toBe('EACCES');
  });

  it.each([
    ['a link', (inner: string, target: string) => symlink(target, inner)],
    ['a pointer', (inner: string, target: string) => writeFile(inner, `gitdir: ${target}\n`)],
  ])("cannot have another app's source fetched for it by %s", async (_, make) => {
    const folder = await mkdtemp(join(tmpdir(), 'longshore-decoy-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await make(join(folder, '.git'), join(bench.dataDir, 'apps', victimId, 'releases/1/.git'));
    for (const path of [folder, join(folder, '.git')]) await lchown(path, STRANGER, STRANGER);
    const build = engine.build(bench.spec(`file://${folder}`), () => {}, signal);
    await expect(build).rejects.toBeInstanceOf(EngineFailure);
  });

  it('is not blocked by processes of other users with its marks', async () => {
    const env = { PATH: '/usr/bin:/bin', LONGSHORE_APP_ID: victimId, LONGSHORE_ROLE: 'build' };
    const stranger = spawn('sleep', ['60'], { uid: STRANGER, gid: STRANGER, env, cwd: '/' });
    onTestFinished(() => void stranger.kill());
    await once(stranger, 'spawn');
    const url = await bench.repository(nodeApp());
    await engine.build(bench.spec(url, { appId: victimId, number: 2 }), () => {}, signal);
    expect(stranger.signalCode).toBeNull();
  });

  it('can be built from a repository that only its owner can read', async () => {
    const url = await bench.repository(nodeApp());
    const folder = await mkdtemp(join(tmpdir(), 'longshore-owned-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await rename(fileURLToPath(url), join(folder, 'repository'));
    await run(
      { argv: ['chown', '-R', String(STRANGER), folder], cwd: '/', env: { PATH: '/usr/bin:/bin' } },
      { signal, timeoutMs: 5_000 },
    );
    await engine.build(bench.spec(`file://${folder}/repository`), () => {}, signal);
  });

  it('cannot replace the folders that the server uses', async () => {
    const own = await peek('realpathSync', '.');
    expect(await peek('rmdirSync', join(own, '..'))).toMatch(/EACCES|EBUSY|ENOTEMPTY/);
    expect(await peek('mkdirSync', join(own, '../../new'))).toBe('EACCES');
    expect(await peek('mkdirSync', join(own, '../2'))).toBe('EACCES');
  });

  it('has no group of the server, no way to new privileges and no core dumps', async () => {
    const status = await peek('readFileSync', '/proc/self/status');
    expect(status).toMatch(/^Groups:\s*$/m);
    expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
    expect(status).toMatch(/^Uid:\s+(\d{10})\s+\1\s+\1\s+\1$/m);
    const limits = await peek('readFileSync', '/proc/self/limits');
    expect(limits).toMatch(/^Max core file size\s+0\s+0/m);
    expect(limits).toMatch(/^Max processes\s+512\s+512/m);
  });

  async function startApp(expression: string, env: Record<string, string>) {
    const spec = bench.spec(await bench.repository(nodeApp(expression)), { env });
    await engine.build(spec, () => {}, signal);
    const instance = await engine.startInstance(spec, signal);
    await engine.waitUntilListening(instance, spec, signal);
    return [spec, instance] as const;
  }

  async function peek(action: string, path: string): Promise<string> {
    return String(await ask(spy, `/${encodeURIComponent(JSON.stringify([action, path]))}`));
  }
});

async function ask({ address }: Instance, path: string): Promise<unknown> {
  return await (await fetch(`http://${address.host}:${address.port}${path}`)).json();
}
