import { mkdir, readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
  withoutIsolation,
} from '../../../test/engines/process/engine-bench.ts';
import { startKilledServer } from '../../../test/engines/process/start-killed-server.ts';
import { isAlive } from '../../processes/process-stat.ts';
import { listProcesses } from '../../processes/process-table.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';

let bench: EngineBench;
const { signal } = new AbortController();

beforeAll(async () => {
  bench = await createEngineBench();
});
afterAll(() => bench.clear());

it('adopts a running app, records its exit, and neither repeats nor loses a line', async () => {
  const files = nodeApp();
  files['server.js'] = `let count = 0;
    require('node:http').createServer((request, response) => {
      if (request.url === '/exit') process.exit(4);
      console.log('line', ++count);
      response.end();
    }).listen(process.env.PORT);`;
  const spec = bench.spec(await bench.repository(files));
  const first = await bench.engine();
  await first.build(spec, () => {}, signal);
  const instance = await first.startInstance(spec, signal);
  await first.waitUntilListening(instance, spec, signal);
  await request(instance);
  await expect.poll(() => linesOf(spec)).toEqual(['line 1']);
  await first.close();
  await request(instance);

  const second = await bench.engine();
  expect((await second.observe(spec.appId, signal)).instances).toEqual([instance]);
  await second.waitUntilListening(instance, spec, signal);
  await request(instance);
  await expect.poll(() => linesOf(spec)).toEqual(['line 1', 'line 2', 'line 3']);

  const changed = new Promise<string>((resolve) => second.watch(resolve));
  await request(instance, '/exit').catch(() => {});
  expect(await changed).toBe(spec.appId);
  const [seen] = (await second.observe(spec.appId, signal)).instances;
  expect(seen?.state).toMatchObject({ kind: 'exited', exit: { code: 4 } });
});

it('records the exit of an adopted app that closed its alive pipe', async () => {
  const files = nodeApp();
  files['server.js'] +=
    `require('node:fs').closeSync(10); process.on('SIGUSR2', () => process.exit());`;
  const spec = bench.spec(await bench.repository(files));
  const first = await bench.engine();
  await first.build(spec, () => {}, signal);
  const instance = await first.startInstance(spec, signal);
  await first.waitUntilListening(instance, spec, signal);
  await first.close();
  const second = await bench.engine();
  expect((await second.observe(spec.appId, signal)).instances).toHaveLength(1);
  const changed = new Promise<string>((resolve) => second.watch(resolve));
  process.kill(-(await bench.pidOf(spec, instance)), 'SIGUSR2');
  expect(await changed).toBe(spec.appId);
});

it('records the exit of an app that exited while no server ran', async () => {
  const spec = bench.spec(await bench.repository(nodeApp()));
  const first = await bench.engine();
  await first.build(spec, () => {}, signal);
  const instance = await first.startInstance(spec, signal);
  await first.waitUntilListening(instance, spec, signal);
  await first.close();
  const pid = await bench.pidOf(spec, instance);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
  const second = await bench.engine();
  const [seen] = (await second.observe(spec.appId, signal)).instances;
  expect(seen?.state.kind).toBe('exited');
});

it('keeps apps running when the server is killed, and stops its unfinished build', async () => {
  const spec = bench.spec(await bench.repository(nodeApp()));
  const build = `node -e "console.log(1); setInterval(() => {}, 1000, '${spec.appId}')"`;
  const url = await bench.repository({
    'package.json': JSON.stringify({ scripts: { start: 'x', build } }),
  });
  const slow = { ...spec, number: 2, origin: { kind: 'git', url, ref: 'main' } };
  const server = await startKilledServer({ dataDir: bench.dataDir, spec, slow });
  await expect.poll(() => server.printed('building')).toMatch(/^\d+$/);
  expect(await commandsWith(spec.appId)).not.toEqual([]);
  process.kill(server.pid, 'SIGKILL');
  await server.ended;

  const engine = await bench.engine();
  const { instances, built } = await engine.observe(spec.appId, signal);
  expect(built).toEqual([1]);
  expect(instances).toMatchObject([{ release: 1, state: { kind: 'running' } }]);
  expect(await commandsWith(spec.appId)).toEqual([]);
  for (const instance of instances) {
    await request(instance);
    await engine.stopInstance(spec.appId, instance, signal);
  }
});

it.each([
  ['isolated', false],
  ['not isolated', true],
])('ends a command of a killed server when apps are %s, and runs it again', async (_, isPlain) => {
  const url = await bench.repository(nodeApp());
  const spec = bench.spec(url);
  const dataDir = `${bench.dataDir}-${spec.appId}`;
  await mkdir(dataDir, { mode: 0o711 });
  const text = `setsid sh -c 'sleep 31415; true' ${spec.appId} & sh -c 'sleep 31415; true' ${spec.appId}`;
  const command = { id: 'release', text, logName: 'command-log', timeoutMs: 600_000 };
  const server = await startKilledServer({ dataDir, spec, command, isPlain });
  const waiting = { timeout: 60_000 };
  await expect
    .poll(() => commandsWith(`sleep 31415; true\0${spec.appId}`), waiting)
    .not.toEqual([]);
  process.kill(server.pid, 'SIGKILL');
  await server.ended;

  const changes = isPlain ? { openSandbox: withoutIsolation } : {};
  const engine = await bench.engine({ dataDir, ...changes });
  const { instances } = await engine.observe(spec.appId, signal);
  expect(instances).toMatchObject([{ state: { kind: 'running' } }]);
  expect(await commandsWith(`sleep 31415; true\0${spec.appId}`)).toEqual([]);
  const again = { ...command, text: 'sh -c "exit 5"' };
  expect(await engine.runCommand(spec, again, signal)).toMatchObject({ exit: { code: 5 } });
  await engine.removeApp(spec.appId, signal);
  await engine.close();
  await rm(dataDir, { recursive: true });
});

/** The command lines of running processes that contain a text. */
async function commandsWith(text: string): Promise<string[]> {
  const commands = listProcesses()
    .filter(({ pid }) => pid !== process.pid)
    .map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(commands)).filter((command) => command.includes(text));
}

async function request({ address }: Instance, path = '/'): Promise<void> {
  await (await fetch(`http://${address.host}:${address.port}${path}`)).text();
}

function linesOf(spec: ReleaseSpec): string[] {
  const prefix = `[app-${spec.appId.slice(0, 6)}-1]: `;
  return bench.lines
    .filter((line) => line.startsWith(prefix))
    .map((line) => line.slice(prefix.length));
}
