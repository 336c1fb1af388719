import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lchown, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
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
/** A uid that belongs to no app and not to the server. */
const OTHER_UID = 54_321;

/** Only root can run each app as a separate user. Without root, all apps share one user and are not isolated. */
describe.runIf(process.getuid?.() === 0)('an app with its own user', () => {
  let bench: EngineBench;
  let engine: ProcessEngine;
  let attacker: Instance;
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
    const seenPid = Number(await fetchJson(victim, '/'));
    victimPid = await bench.pidOf(victimSpec, victim, seenPid);
    const callFsFunction = `(() => {
      const [action, path] = JSON.parse(decodeURIComponent(request.url.slice(1)));
      try { return String(require('node:fs')[action](path)); } catch (error) { return error.code; }
    })()`;
    [, attacker] = await startApp(callFsFunction, {});
  });
  afterAll(() => bench.clear());

  it.each<[what: string, action: string, path: () => string]>([
    ['the keys', 'readFileSync', () => join(bench.dataDir, 'keys/signing.key')],
    ['the data directory listing', 'readdirSync', () => bench.dataDir],
    ['the records', 'readdirSync', () => join(bench.dataDir, 'records')],
    ['the apps listing', 'readdirSync', () => join(bench.dataDir, 'apps')],
    ["another app's folder", 'readdirSync', () => join(bench.dataDir, 'apps', victimId)],
    [
      "another app's source",
      'readFileSync',
      () => join(bench.dataDir, 'apps', victimId, 'releases/1/server.js'),
    ],
    ["another app's environment", 'readFileSync', () => `/proc/${victimPid}/environ`],
    ["the server's environment", 'readFileSync', () => `/proc/${process.pid}/environ`],
  ])('cannot read %s', async (_, action, path) => {
    expect(await callInApp(action, path())).toBe('ENOENT');
  });

  it.each([
    ['a symbolic link', (inner: string, target: string) => symlink(target, inner)],
    ['a gitdir file', (inner: string, target: string) => writeFile(inner, `gitdir: ${target}\n`)],
  ])("cannot be built from another app's source through %s", async (_, make) => {
    const folder = await mkdtemp(join(tmpdir(), 'longshore-decoy-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await make(join(folder, '.git'), join(bench.dataDir, 'apps', victimId, 'releases/1/.git'));
    for (const path of [folder, join(folder, '.git')]) await lchown(path, OTHER_UID, OTHER_UID);
    const build = engine.build(bench.spec(`file://${folder}`), () => {}, signal);
    await expect(build).rejects.toBeInstanceOf(EngineFailure);
  });

  it('is not blocked by processes of other users that set its marks', async () => {
    const env = { PATH: '/usr/bin:/bin', LONGSHORE_APP_ID: victimId, LONGSHORE_ROLE: 'build' };
    const otherProcess = spawn('sleep', ['60'], { uid: OTHER_UID, gid: OTHER_UID, env, cwd: '/' });
    onTestFinished(() => void otherProcess.kill());
    await once(otherProcess, 'spawn');
    const url = await bench.repository(nodeApp());
    await engine.build(bench.spec(url, { appId: victimId, number: 2 }), () => {}, signal);
    expect(otherProcess.signalCode).toBeNull();
  });

  it('can be built from a repository that only its owner can read', async () => {
    const url = await bench.repository(nodeApp());
    const folder = await mkdtemp(join(tmpdir(), 'longshore-owned-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await rename(fileURLToPath(url), join(folder, 'repository'));
    await run(
      {
        argv: ['chown', '-R', String(OTHER_UID), folder],
        cwd: '/',
        env: { PATH: '/usr/bin:/bin' },
      },
      { signal, timeoutMs: 5_000 },
    );
    await engine.build(bench.spec(`file://${folder}/repository`), () => {}, signal);
  });

  it('cannot replace the folders that the server uses', async () => {
    const own = await callInApp('realpathSync', '.');
    expect(await callInApp('rmdirSync', own)).toMatch(/EBUSY|EROFS/);
    expect(await callInApp('mkdirSync', join(own, '../2'))).toBe('EROFS');
  });

  it('has no groups of the server, cannot gain privileges and writes no core dumps', async () => {
    const status = await callInApp('readFileSync', '/proc/self/status');
    expect(status).toMatch(/^Groups:\s*$/m);
    expect(status).toMatch(/^NoNewPrivs:\s*1$/m);
    expect(status).toMatch(/^Uid:\s+(\d{10})\s+\1\s+\1\s+\1$/m);
    const limits = await callInApp('readFileSync', '/proc/self/limits');
    expect(limits).toMatch(/^Max core file size\s+1\s+1/m);
  });

  it('shares no limit of processes with its other instances, because each has its own', async () => {
    const maxProcesses = (limits: string) => /^Max processes\s+(\S+\s+\S+)/m.exec(limits)?.[1];
    const limits = await callInApp('readFileSync', '/proc/self/limits');
    expect(maxProcesses(limits)).toBe(maxProcesses(await readFile('/proc/self/limits', 'utf8')));
  });

  it.each(['0.0.0.0', '127.0.0.1'])(
    'gets the traffic of the default port on the port that it listens on, at %s',
    async (host) => {
      const files = nodeApp();
      files['server.js'] = `require('node:http')
        .createServer((_, response) => response.end(process.env.PORT)).listen(4567, '${host}');`;
      const ports = [{ number: 80, expose: true }];
      const spec = bench.spec(await bench.repository(files), { ports });
      await engine.build(spec, () => {}, signal);
      const instance = await engine.startInstance(spec, signal);
      await engine.waitUntilListening(instance, spec, signal);
      expect(instance.address.port).toBe(80);
      expect(await fetchJson(instance, '/')).toBe(80);
      expect(bench.lines.join('\n')).toContain(
        'The app listens on port 4567, so its traffic is sent there',
      );
      await engine.stopInstance(spec.appId, instance, signal);
    },
  );

  it('is reached if it listens on localhost, in IPv4 and IPv6', async () => {
    const files = nodeApp();
    files['server.js'] = `for (const host of ['127.0.0.1', '::1']) {
        require('node:http').createServer((_, response) => response.end('1')).listen(process.env.PORT, host);
      }`;
    const spec = bench.spec(await bench.repository(files));
    await engine.build(spec, () => {}, signal);
    const instance = await engine.startInstance(spec, signal);
    await engine.waitUntilListening(instance, spec, signal);
    expect(await fetchJson(instance, '/')).toBe(1);
    await engine.stopInstance(spec.appId, instance, signal);
  });

  async function startApp(expression: string, env: Record<string, string>) {
    const spec = bench.spec(await bench.repository(nodeApp(expression)), { env });
    await engine.build(spec, () => {}, signal);
    const instance = await engine.startInstance(spec, signal);
    await engine.waitUntilListening(instance, spec, signal);
    return [spec, instance] as const;
  }

  async function callInApp(action: string, path: string): Promise<string> {
    return String(
      await fetchJson(attacker, `/${encodeURIComponent(JSON.stringify([action, path]))}`),
    );
  }
});

async function fetchJson({ address }: Instance, path: string): Promise<unknown> {
  return await (await fetch(`http://${address.host}:${address.port}${path}`)).json();
}
