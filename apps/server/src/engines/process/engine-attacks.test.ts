import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import { readMachineState } from '../../../test/engines/process/machine-state.ts';
import { isAlive } from '../../processes/process-stat.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';
import type { ProcessEngine } from './engine.ts';

const { signal } = new AbortController();
const TOKEN = 'token-of-the-victim';
const MARKER = `marker-of-the-attacker-${process.pid}`;
const LIMITS = { memoryBytes: 192 * 1024 ** 2, cpus: 0.5, processes: 60 };

/** Runs the function body of each request in the app. */
const RUNS_REQUESTS = `(async () => {
  let body = '';
  for await (const chunk of request) body += chunk;
  try {
    const Body = (async () => {}).constructor;
    return (await new Body('require', 'process', body)(require, process)) ?? 'done';
  } catch (error) {
    return error.code ?? String(error);
  }
})()`;

/** The functions of an attack. Each returns what it found, or the code of its error. */
const TOOLS = `
  const fs = require('node:fs');
  const net = require('node:net');
  const { spawnSync } = require('node:child_process');
  const connect = (...target) => new Promise((resolve) => {
    const socket = net.connect(...target);
    socket.setTimeout(1500, () => { socket.destroy(); resolve('ETIMEDOUT'); });
    socket.once('connect', () => { socket.destroy(); resolve('connected'); });
    socket.once('error', (error) => resolve(error.code));
  });
  const call = (action) => { try { return action() ?? 'done'; } catch (error) { return error.code; } };
  const system = (...args) => {
    const script = '$r = syscall(shift, map { $_ + 0 } @ARGV); print $r < 0 ? $!+0 : "done"';
    return spawnSync('perl', ['-e', script, ...args.map(String)]).stdout.toString();
  };
  const socketOf = (...args) => spawnSync('perl',
    ['-e', 'print socket(my $s, shift, shift, shift) ? "done" : $!+0', ...args]).stdout.toString();`;

const EPERM = '1';
const ENOSYS = '38';
const EAFNOSUPPORT = '97';
/** Has another number on other architectures. */
const KEYCTL = process.arch === 'arm64' ? 219 : 250;
const [IO_URING_SETUP, FSOPEN, CLONE3] = [425, 430, 435];

/** Only root can isolate apps. The attacker and the victim belong to different users. */
describe.runIf(process.getuid?.() === 0)('a hostile app of another user', () => {
  let bench: EngineBench;
  let engine: ProcessEngine;
  let victim: Instance;
  let victimSpec: ReleaseSpec;
  let attacker: Instance;
  let attackerSpec: ReleaseSpec;
  const services: Server[] = [];

  beforeAll(async () => {
    bench = await createEngineBench();
    engine = await bench.engine();
    victimSpec = bench.spec(
      await bench.repository(nodeApp('"untouched"', `node server.js ${TOKEN}`)),
      { name: 'victim', env: { TOKEN }, size: LIMITS },
    );
    victim = await deploy(victimSpec);
    attackerSpec = bench.spec(await bench.repository(nodeApp(RUNS_REQUESTS)), {
      name: 'attacker',
      size: LIMITS,
    });
    attacker = await deploy(attackerSpec);
  });
  afterAll(async () => {
    for (const service of services) service.close();
    await bench.clear();
  });

  it.each<[what: string, body: () => string, expected: unknown]>([
    [
      'sees only its own processes',
      () => `return fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length < 6`,
      true,
    ],
    [
      'reads no token in a command line or an environment',
      () => `return fs.readdirSync('/proc').filter((name) => ['cmdline', 'environ'].some((file) =>
        String(call(() => fs.readFileSync('/proc/' + name + '/' + file))).includes('${TOKEN}')))`,
      [],
    ],
    [
      'signals no process of another user',
      () =>
        `return [call(() => process.kill(1, 'SIGKILL')), call(() => process.kill(${process.pid}, 0))]`,
      ['EPERM', 'ESRCH'],
    ],
    [
      'stays in its control group',
      () => `const [path] = spawnSync('find', ['/sys/fs/cgroup', '-name', 'cgroup.procs']).stdout
        .toString().split('\\n');
        return [call(() => fs.writeFileSync(path, '0')), call(() => fs.mkdirSync(path.replace('cgroup.procs', 'sub')))]`,
      ['EROFS', 'EROFS'],
    ],
    [
      'changes no setting of the kernel',
      () => `return ['kernel/core_pattern', 'net/ipv4/ip_forward', 'vm/drop_caches'].map((name) =>
        call(() => fs.writeFileSync('/proc/sys/' + name, '1')))`,
      Array(3).fill(expect.stringMatching(/EACCES|EROFS/)),
    ],
    [
      'gets no namespaces, mounts, keys or kernel interfaces',
      () => `return [
        spawnSync('unshare', ['--user', 'true']).status, spawnSync('unshare', ['--net', 'true']).status,
        spawnSync('mount', ['-t', 'tmpfs', 'x', '/tmp']).status !== 0,
        system(${CLONE3}, 0, 0), system(${IO_URING_SETUP}, 1, 0), system(${FSOPEN}, 0, 0), system(${KEYCTL}, 0, -3, 0)]`,
      [1, 1, true, ENOSYS, EPERM, EPERM, EPERM],
    ],
    [
      'opens no raw, packet, hypervisor or crypto sockets',
      () =>
        `return [[2, 3, 1], [10, 3, 58], [17, 3, 0], [40, 1, 0], [38, 5, 0]].map((args) => socketOf(...args))`,
      [EPERM, EPERM, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT],
    ],
    [
      'sees no sockets or files of the machine',
      () => `return ['/run/docker.sock', '/var/run/docker.sock', '/root', '/etc/shadow', '/work', '/srv', '${bench.dataDir}']
        .filter((path) => fs.existsSync(path))`,
      [],
    ],
    [
      'writes only to its own folders',
      () => `return ['/', '/usr', '/etc', '/opt/longshore', '/run', '/run/longshore', '/dev', '/home', '/var']
        .map((folder) => call(() => fs.writeFileSync(folder + '/x', '')))
        .every((code) => code === 'EROFS' || code === 'EACCES')`,
      true,
    ],
    [
      'makes no device nodes and gains nothing from set-user-id files',
      () => `const copied = '/home/app/sh';
        fs.copyFileSync('/bin/sh', copied); fs.chmodSync(copied, 0o4755);
        return [spawnSync('mknod', ['/home/app/d', 'b', '7', '0']).status,
          spawnSync(copied, ['-c', 'id -u']).stdout.toString().trim() === String(process.getuid()),
          spawnSync('su', ['-c', 'true']).status !== 0]`,
      [1, true, true],
    ],
  ])('%s', async (_, body, expected) => {
    expect(await attack(body())).toEqual(expected);
    await expectUntouched();
  });

  it('reaches no port of the machine, of other users or of the cloud', async () => {
    const port = await listen({ port: 0, host: '0.0.0.0' });
    const localPort = await listen({ port: 0, host: '127.0.0.1' });
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const hosts = ['127.0.0.1', '10.213.0.1', ...own.map(({ address }) => address)];
    const targets = [
      ...hosts.map((host) => [port, host]),
      [localPort, '10.213.0.1'],
      [5432, '10.213.0.1'],
      [22, '10.213.0.1'],
      [80, '169.254.169.254'],
      [victim.address.port, victim.address.host],
    ];
    const found = await attack(
      `return await Promise.all(${JSON.stringify(targets)}.map((target) => connect(...target)))`,
    );
    expect(found).toHaveLength(targets.length);
    expect(found).not.toContain('connected');
    expect(await attack(`return await connect(${attacker.address.port}, '127.0.0.1')`)).toBe(
      'connected',
    );
    await expectUntouched();
  });

  it('reaches no abstract socket of the machine', async () => {
    const name = `\0longshore-test-${process.pid}`;
    await listen({ path: name });
    expect(await attack(`return await connect(${JSON.stringify({ path: name })})`)).toBe(
      'ECONNREFUSED',
    );
  });

  it('takes no port or address of another app, also after that one crashed', async () => {
    const { host, port } = victim.address;
    const takeAll = `
      const take = (port, host) => new Promise((resolve) => {
        const server = net.createServer().once('error', (error) => resolve(error.code));
        server.listen(port, host, () => resolve('listening'));
      });
      const ports = Array.from({ length: 2000 }, (_, index) => 20000 + index);
      const all = await Promise.all(ports.map((port) => take(port, '0.0.0.0')));
      return [all.filter((it) => it === 'listening').length > 1000, await take(${port}, '${host}')]`;
    expect(await attack(takeAll)).toEqual([true, 'EADDRNOTAVAIL']);
    const pid = await bench.pidOf(victimSpec, victim);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(await attack(takeAll)).toContain('EADDRNOTAVAIL');
    await expect(fetch(`http://${host}:${port}`)).rejects.toThrow();
    victim = await start(victimSpec);
    await expectUntouched();
  });

  it.each([
    ['a fork bomb', `spawnSync('bash', ['-c', ':() { : | : & }; : & sleep 1'], { timeout: 3000 })`],
    [
      'too much memory in /dev/shm',
      `call(() => fs.writeFileSync('/dev/shm/x', Buffer.alloc(4e8, 1)))`,
    ],
    [
      'stopped processes that ignore SIGTERM',
      `process.on('SIGTERM', () => {}); spawnSync('sh', ['-c', 'kill -STOP -1'], { timeout: 2000 })`,
    ],
  ])('harms only itself with %s, and can be stopped', async (_, bomb) => {
    const spec = { ...attackerSpec, ...(await newAttacker()) };
    const instance = await start(spec);
    const exploded = attack(bomb, instance).catch(() => 'crashed');
    for (let request = 0; request < 5; request += 1) {
      await expectUntouched();
      await delay(100);
    }
    await Promise.race([exploded, delay(4_000)]);
    await engine.removeApp(spec.appId, signal);
    const { processes, groups } = await readMachineState(bench.dataDir);
    expect(groups.filter((name) => name.includes(spec.appId))).toEqual([]);
    expect(processes.filter((line) => line.includes('bash'))).toEqual([]);
    await expectUntouched();
  });

  it('uses no more memory of the machine for its connections than its limit', async () => {
    const spec = { ...attackerSpec, ...(await newAttacker()) };
    const instance = await start(spec);
    const before = socketMemoryBytes();
    await attack(
      `
      const kept = [];
      const server = net.createServer({ pauseOnConnect: true }, (socket) => kept.push(socket));
      await new Promise((resolve) => server.listen(4000, resolve));
      const chunk = Buffer.alloc(8e6);
      for (let count = 0; count < 250; count += 1) {
        const socket = net.connect(4000, '127.0.0.1');
        await new Promise((resolve) => socket.once('connect', resolve));
        socket.write(chunk);
        kept.push(socket);
      }
      await new Promise((resolve) => setTimeout(resolve, 300));`,
      instance,
    ).catch(() => 'crashed');
    expect(socketMemoryBytes() - before).toBeLessThan(1.25 * LIMITS.memoryBytes);
    await engine.removeApp(spec.appId, signal);
  });

  it('leaves no processes or files behind when it is removed', async () => {
    const spec = { ...attackerSpec, ...(await newAttacker()) };
    const instance = await start(spec);
    const hide = `
      for (const folder of ['/dev/shm', '/tmp', '/var/tmp', '/home/app', '/app'])
        fs.writeFileSync(folder + '/${MARKER}', '${MARKER}');
      spawnSync('bash', ['-c', 'setsid nohup bash -c "exec -a ${MARKER} sleep 987" >/dev/null 2>&1 & disown']);`;
    expect(await attack(hide, instance)).toBe('done');
    await engine.removeApp(spec.appId, signal);
    expect(['/dev/shm', '/tmp', '/var/tmp'].filter((it) => existsSync(`${it}/${MARKER}`))).toEqual(
      [],
    );
    expect(commandLines().filter((line) => line.includes(MARKER))).toEqual([]);
    const seen = `return ['/dev/shm', '/tmp', '/home/app'].filter((it) => fs.existsSync(it + '/${MARKER}'))`;
    expect(await attack(seen)).toEqual([]);
  });

  it('harms nobody as a build step', async () => {
    const port = await listen({ port: 0, host: '0.0.0.0' });
    const { address } = victim;
    const build = `${TOOLS}
      (async () => {
        const found = {
          processes: fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length < 10,
          machine: await connect(${port}, '10.213.0.1'),
          victim: await connect(${address.port}, '${address.host}'),
          ownInstance: await connect(${attacker.address.port}, '${attacker.address.host}'),
          files: ['${bench.dataDir}', '/root', '/run/docker.sock'].filter((it) => fs.existsSync(it)),
          namespace: spawnSync('unshare', ['--user', 'true']).status,
          signal: call(() => process.kill(1, 'SIGKILL')),
        };
        fs.writeFileSync('/dev/shm/${MARKER}', '');
        fs.writeFileSync('/tmp/${MARKER}', '');
        spawnSync('bash', ['-c', 'setsid nohup bash -c "exec -a ${MARKER} sleep 987" >/dev/null 2>&1 & disown']);
        console.log('FOUND ' + JSON.stringify(found));
      })();`;
    const files = {
      'package.json': JSON.stringify({ scripts: { start: 'x', build: 'node build.js' } }),
      'build.js': build,
    };
    const url = await bench.repository(files);
    const origin = { kind: 'git', url, ref: 'main' } as const;
    await engine.build({ ...attackerSpec, number: 2, origin }, () => {}, signal);
    const line = bench.lines.find((text) => text.includes('FOUND {')) ?? '';
    expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual({
      processes: true,
      machine: expect.not.stringMatching('connected'),
      victim: expect.not.stringMatching('connected'),
      ownInstance: expect.not.stringMatching('connected'),
      files: [],
      namespace: 1,
      signal: 'EPERM',
    });
    expect(commandLines().filter((text) => text.includes(MARKER))).toEqual([]);
    const seen = `return ['/dev/shm', '/tmp'].filter((it) => fs.existsSync(it + '/${MARKER}'))`;
    expect(await attack(seen)).toEqual([]);
    await expectUntouched();
  });

  async function newAttacker() {
    const spec = bench.spec('', { name: 'bomb', size: LIMITS });
    await engine.build({ ...attackerSpec, ...identityOf(spec) }, () => {}, signal);
    return identityOf(spec);
  }

  async function deploy(spec: ReleaseSpec): Promise<Instance> {
    await engine.build(spec, () => {}, signal);
    return await start(spec);
  }

  async function start(spec: ReleaseSpec): Promise<Instance> {
    const instance = await engine.startInstance(spec, signal);
    await engine.waitUntilListening(instance, spec, signal);
    return instance;
  }

  async function attack(body: string, { address } = attacker): Promise<unknown> {
    const response = await fetch(`http://${address.host}:${address.port}/`, {
      method: 'POST',
      body: `${TOOLS}\n${body}`,
    });
    return await response.json();
  }

  async function expectUntouched(): Promise<void> {
    const { host, port } = victim.address;
    const deadline = AbortSignal.timeout(3_000);
    const response = await fetch(`http://${host}:${port}/`, { signal: deadline });
    expect(await response.json()).toBe('untouched');
  }

  async function listen(options: { port?: number; host?: string; path?: string }): Promise<number> {
    const service = createServer((socket) => socket.end());
    services.push(service);
    await new Promise<void>((resolve) => service.listen(options, resolve));
    const address = service.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }
});

function identityOf({ appId, ownerId, projectId, name }: ReleaseSpec) {
  return { appId, ownerId, projectId, name };
}

/** The buffers of all TCP connections of the machine. */
function socketMemoryBytes(): number {
  const pages = /^TCP: .* mem (\d+)$/m.exec(readFileSync('/proc/net/sockstat', 'utf8'))?.[1];
  return Number(pages) * 4_096;
}

/** The command lines of all processes of the machine. */
function commandLines(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  });
}
