import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import {
  installationOf,
  type MachineState,
  readMachineState,
} from '../../../test/engines/process/machine-state.ts';
import { PROCFILE } from '../../../test/engines/process/toolchain-fixtures.ts';
import { createRandom, type Random } from '../../../test/reconciler/simulation/random.ts';
import { findProcess, isRunning } from '../../processes/process-table.ts';
import { run } from '../../processes/run.ts';
import { spawnDetached } from '../../processes/spawn-detached.ts';
import { openControlGroups } from '../../sandbox/open-sandbox.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';
import type { ProcessEngine } from './engine.ts';

const { signal } = new AbortController();
const SEED = 17;
const ROUNDS = 6;
const APPS = 3;
const NOTHING: MachineState = {
  processes: [],
  namespaces: [],
  uids: [],
  devices: [],
  routes: [],
  rules: [],
  mounts: [],
  loopDevices: [],
  groups: [],
  files: [],
};

/** Only root can isolate apps. */
describe.runIf(process.getuid?.() === 0)('nothing is left', () => {
  let bench: EngineBench;

  beforeAll(async () => {
    bench = await createEngineBench();
  });
  afterAll(() => bench.clear());

  it('of apps that were deployed, crashed or failed to build, once they are removed', async () => {
    const engine = await bench.engine();
    const serving = bench.spec(await bench.repository(nodeApp()));
    await deploy(engine, serving);
    const crashing = bench.spec(await bench.repository(nodeApp('process.abort()')));
    const [victim] = [await deploy(engine, crashing)];
    await request(victim).catch(() => {});
    await expect
      .poll(async () => (await engine.observe(crashing.appId, signal)).instances[0]?.state.kind)
      .toBe('exited');
    const script = { start: 'x', build: 'nohup sleep 987 & exit 3' };
    const failing = bench.spec(
      await bench.repository({ 'package.json': JSON.stringify({ scripts: script }) }),
    );
    await expect(engine.build(failing, () => {}, signal)).rejects.toMatchObject({
      reason: 'build-failed',
    });
    expect(await readMachineState(bench.dataDir)).not.toMatchObject({ devices: [], files: [] });
    await removeAll(engine);
    await expectNothing();
    await engine.close();
  });

  it('after everything was killed at once, and after a reboot', async () => {
    for (const happens of ['kill', 'reboot']) {
      const engine = await bench.engine();
      const spec = bench.spec(await bench.repository(nodeApp()));
      const instance = await deploy(engine, spec);
      await engine.close();
      const { processes } = await readMachineState(bench.dataDir);
      for (const line of processes) process.kill(Number.parseInt(line, 10), 'SIGKILL');
      if (happens === 'reboot') await changeBootId(spec, instance);
      const next = await bench.engine();
      const [seen] = (await next.observe(spec.appId, signal)).instances;
      expect(seen?.state.kind).toBe('exited');
      await expect
        .poll(async () => ({ ...(await readMachineState(bench.dataDir)), files: [] }))
        .toEqual(NOTHING);
      await deploy(next, { ...spec, number: 2 });
      await removeAll(next);
      await expectNothing();
      await next.close();
    }
  });

  it('of connections to an app whose outer process was killed', async () => {
    const engine = await bench.engine();
    const spec = bench.spec(await bench.repository(nodeApp('new Promise(() => {})')));
    const { address, id } = await deploy(engine, spec);
    const waiting = fetch(`http://${address.host}:${address.port}`).catch(() => 'ended');
    await expect.poll(() => isConnected(address.host)).toBe(true);
    const pid = await bench.pidOf(spec, { id } as Instance);
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    process.kill(Number(parent), 'SIGKILL');
    expect(await Promise.race([waiting, delay(10_000)])).toBe('ended');
    await removeAll(engine);
    await expectNothing();
    await engine.close();
  });

  it('of groups, devices, rules, mounts and names without an app, once a server starts', async () => {
    const engine = await bench.engine();
    const spec = bench.spec(await bench.repository(nodeApp()));
    await deploy(engine, spec);
    await engine.close();
    const before = await readMachineState(bench.dataDir);
    const lost = spawn('sleep', ['987'], { stdio: 'ignore' });
    onTestFinished(() => void lost.kill());
    const groups = openControlGroups(bench.dataDir);
    groups?.create('app-lost-1', { memoryBytes: 1e8, cpus: 1, processes: 9 });
    groups?.addProcess('app-lost-1', lost.pid ?? 0);
    groups?.create('build-lost', { memoryBytes: 1e8, cpus: 1, processes: 9 });
    const installation = installationOf(bench.dataDir);
    const device = `ls${installation.slice(0, 6)}zzzzzzz`;
    await command('ip', 'link', 'add', device, 'type', 'veth', 'peer', 'name', 'lost0');
    const table = ['inet', `longshore_${installation}`];
    await command('nft', 'add', 'element', ...table, 'sources', `{ "${device}" . 10.213.9.9 }`);
    for (const folder of ['names/lost', 'mounts/lost']) {
      await mkdir(join(bench.dataDir, folder), { recursive: true });
    }
    await command('mount', '-t', 'tmpfs', 'tmpfs', join(bench.dataDir, 'mounts/lost'));
    const next = await bench.engine();
    expect(await readMachineState(bench.dataDir)).toEqual(before);
    await expect.poll(() => lost.signalCode).toBe('SIGKILL');
    await removeAll(next);
    await expectNothing();
    await next.close();
  });

  it('when the server is killed at random while apps come and go', {
    timeout: 120_000,
  }, async () => {
    const random = createRandom(SEED);
    const url = await bench.repository(PROCFILE);
    const specs = Array.from({ length: APPS }, (_, index) =>
      bench.spec(url, { appId: randomUUID(), name: `app-${index}` }),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await startBusyServer({ specs, seed: random.below(1_000_000) });
      await delay(random.below(1_500));
      process.kill(server.pid, 'SIGKILL');
      await server.ended;
      if (random.chance(0.4)) killAny(random);
      const engine = await bench.engine();
      await expectOnlyAdopted(engine, `round ${round}`);
      await engine.close();
    }
    const engine = await bench.engine();
    await removeAll(engine);
    await expectNothing();
    await engine.close();
  });

  /** Kills one process of an app, or the one outside that waits for its sandbox. */
  function killAny(random: Random): void {
    const groups = openControlGroups(bench.dataDir);
    const pids = groups?.list().flatMap((group) => groups.members(group)) ?? [];
    const pid = pids[random.below(pids.length)];
    if (pid !== undefined && findProcess(pid) !== undefined) process.kill(pid, 'SIGKILL');
  }

  /** Every running instance answers and is in its control group, and there is nothing else. */
  async function expectOnlyAdopted(engine: ProcessEngine, when: string): Promise<void> {
    const groups = openControlGroups(bench.dataDir);
    const expected: string[] = [];
    for (const appId of await engine.listApps(signal)) {
      const { instances } = await engine.observe(appId, signal);
      for (const instance of instances.filter(({ state }) => state.kind === 'running')) {
        const group = `app-${appId}-${instance.id}`;
        expected.push(group);
        await expect.poll(() => request(instance), { message: when }).toBe('good day');
        const pid = await bench.pidOf({ appId } as ReleaseSpec, instance);
        expect(groups?.members(group), when).toContain(pid);
      }
    }
    const count = expected.length;
    const poll = { message: when };
    await expect
      .poll(async () => {
        const state = await readMachineState(bench.dataDir);
        return {
          groups: state.groups.toSorted(),
          namespaces: state.namespaces.length,
          devices: state.devices.length,
          mounts: state.mounts,
          hasAllRules: state.rules.length > 0 || count === 0,
        };
      }, poll)
      .toEqual({
        groups: expected.toSorted(),
        namespaces: count * 5,
        devices: count,
        mounts: [],
        hasAllRules: true,
      });
  }

  async function expectNothing(): Promise<void> {
    await expect.poll(() => readMachineState(bench.dataDir)).toEqual(NOTHING);
  }

  async function startBusyServer(task: { specs: ReleaseSpec[]; seed: number }) {
    const path = join(bench.dataDir, 'server.out');
    const output = await open(path, 'w');
    const script = new URL('../../../test/engines/process/busy-server.ts', import.meta.url);
    const argument = JSON.stringify({ ...task, dataDir: bench.dataDir });
    const { pid, exited: ended } = await spawnDetached(
      {
        argv: [process.execPath, fileURLToPath(script), argument],
        cwd: '/',
        env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      },
      output.fd,
    );
    await output.close();
    const printed = () => readFile(path, 'utf8');
    await expect.poll(printed).toMatch(/^ready$/m);
    return { pid, ended };
  }

  /** As if the record was written before the machine started. */
  async function changeBootId({ appId }: ReleaseSpec, { id }: Instance): Promise<void> {
    const path = join(bench.dataDir, 'records', appId, 'instances', id, 'record.json');
    const record = JSON.parse(await readFile(path, 'utf8'));
    // Its pid belongs to another process now.
    const other = findProcess(process.pid);
    expect(other && isRunning(other)).toBe(true);
    record.process = { pid: process.pid, startTime: other?.startTime, bootId: randomUUID() };
    await writeFile(path, JSON.stringify(record));
  }
});

async function isConnected(host: string): Promise<boolean> {
  const address = host.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  const remote = `${address.toReversed().join('').toUpperCase()}:0BB8 01`;
  return (await readFile('/proc/net/tcp', 'utf8')).includes(remote);
}

async function command(...argv: [string, ...string[]]): Promise<void> {
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  const end = await run({ argv, cwd: '/', env }, { signal, timeoutMs: 10_000 });
  expect([argv[0], end]).toEqual([argv[0], { kind: 'exited', code: 0 }]);
}

async function deploy(engine: ProcessEngine, spec: ReleaseSpec): Promise<Instance> {
  await engine.build(spec, () => {}, signal);
  const instance = await engine.startInstance(spec, signal);
  await engine.waitUntilListening(instance, spec, signal);
  return instance;
}

async function removeAll(engine: ProcessEngine): Promise<void> {
  for (const appId of await engine.listApps(signal)) await engine.removeApp(appId, signal);
}

async function request({ address }: Instance): Promise<string> {
  const deadline = AbortSignal.timeout(2_000);
  return await (await fetch(`http://${address.host}:${address.port}`, { signal: deadline })).text();
}
