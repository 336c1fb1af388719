import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  cpuFiles,
  createBuilderPriority,
  leavesTime,
  machineTimes,
  topGroup,
  usedMs,
} from './builder-priority.ts';

it.each([
  { driver: 'cgroupfs', group: '/' },
  { driver: 'systemd', group: '-.slice' },
])('puts builders beside apps and services with $driver', ({ driver, group }) => {
  expect(topGroup(driver)).toBe(group);
});

describe('cpuFiles', () => {
  it.each([
    {
      name: 'version 2',
      groups: '0::/docker-4f5e.scope\n',
      idle: '/sys/fs/cgroup/docker-4f5e.scope/cpu.idle',
      processes: '/sys/fs/cgroup/docker-4f5e.scope/cgroup.procs',
      used: '/sys/fs/cgroup/docker-4f5e.scope/cpu.stat',
      weight: { path: '/sys/fs/cgroup/docker-4f5e.scope/cpu.weight', value: '25' },
      apps: { path: '/sys/fs/cgroup/docker/cpu.weight', value: '1600', usual: '100' },
    },
    {
      name: 'version 1, beside an unused version 2',
      groups: '7:blkio:/4f5e\n2:cpuacct:/4f5e\n1:cpu:/4f5e\n0::/4f5e\n',
      idle: '/sys/fs/cgroup/cpu/4f5e/cpu.idle',
      processes: '/sys/fs/cgroup/cpu/4f5e/cgroup.procs',
      used: '/sys/fs/cgroup/cpuacct/4f5e/cpuacct.usage',
      weight: { path: '/sys/fs/cgroup/cpu/4f5e/cpu.shares', value: '256' },
      apps: { path: '/sys/fs/cgroup/cpu/docker/cpu.shares', value: '16384', usual: '1024' },
    },
    {
      name: 'version 1 with both controllers in one place',
      groups: '4:cpu,cpuacct:/4f5e\n',
      idle: '/sys/fs/cgroup/cpu,cpuacct/4f5e/cpu.idle',
      processes: '/sys/fs/cgroup/cpu,cpuacct/4f5e/cgroup.procs',
      used: '/sys/fs/cgroup/cpu,cpuacct/4f5e/cpuacct.usage',
      weight: { path: '/sys/fs/cgroup/cpu,cpuacct/4f5e/cpu.shares', value: '256' },
      apps: {
        path: '/sys/fs/cgroup/cpu,cpuacct/docker/cpu.shares',
        value: '16384',
        usual: '1024',
      },
    },
  ])('finds the group of a builder in $name', ({ name: _, groups, ...files }) => {
    expect(cpuFiles(groups)).toEqual(files);
  });

  it.each(['', '0::/\n', '1:cpu:/\n2:cpuacct:/\n'])('changes no root group: %j', (groups) => {
    expect(cpuFiles(groups)).toBeUndefined();
  });
});

it.each([
  ['1500000000\n', 1_500],
  ['usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\n', 1_500],
])('reads the CPU time in %j', (text, ms) => {
  expect(usedMs(text)).toBe(ms);
});

it('reads the CPU time of the machine, in which guests are counted already', () => {
  const text = 'cpu  100 20 30 400 50 6 7 8 90 90\ncpu0 1 1 1 1 1 1 1 1 1 1\n';
  expect(machineTimes(text)).toEqual({ totalMs: 6_210, idleMs: 4_500 });
});

it.each([
  { name: 'an idle machine', idleMs: 4_000, buildersMs: 0, leaves: true },
  { name: 'only builders', idleMs: 0, buildersMs: 4_000, leaves: true },
  { name: 'others, with a rest for builders', idleMs: 0, buildersMs: 1_100, leaves: true },
  { name: 'others, with hardly a rest', idleMs: 0, buildersMs: 900, leaves: false },
  { name: 'others, while builders wait', idleMs: 100, buildersMs: 0, leaves: false },
])('decides whether $name leaves time for builders', ({ leaves, idleMs, buildersMs }) => {
  expect(leavesTime({ totalMs: 4_000, idleMs, buildersMs })).toBe(leaves);
});

describe('createBuilderPriority', () => {
  /** A machine with one processor and one builder. */
  function createMachine({ hasIdle = true, canMove = true } = {}) {
    const used = { others: 0, builder: 0, idle: 0 };
    let written: string[] = [];
    let timer: (() => void) | undefined;
    const contents: Record<string, () => string | undefined> = {
      '/proc/7/cgroup': () => '4:cpu,cpuacct:/4f5e\n',
      '/proc/stat': () => `cpu  ${used.others + used.builder} 0 0 ${used.idle} 0 0 0 0 0 0\n`,
      '/sys/fs/cgroup/cpu,cpuacct/4f5e/cpuacct.usage': () => `${used.builder * 1e7}\n`,
    };
    const priority = createBuilderPriority(
      {
        setTimeout: (run) => {
          timer = run;
        },
        clearTimeout: () => {
          timer = undefined;
        },
      },
      {
        read: async (path) => contents[path]?.(),
        async write(path, text) {
          if (!hasIdle && path.endsWith('cpu.idle')) throw new Error('EACCES');
          if (!canMove && path.endsWith('cgroup.procs')) throw new Error('EBUSY');
          written.push(`${basename(path)} ${text}`);
        },
      },
    );
    return {
      priority,
      startApp(shares: string) {
        contents['/sys/fs/cgroup/cpu,cpuacct/docker/cpu.shares'] = () => shares;
      },
      isWaiting: () => timer !== undefined,
      written: () => written,
      /** Lets a second pass in which everybody used this many hundredths. Returns what was written then. */
      async pass(hundredths: typeof used): Promise<string[]> {
        for (const name of ['others', 'builder', 'idle'] as const) used[name] += hundredths[name];
        const run = timer;
        timer = undefined;
        written = [];
        run?.();
        await new Promise((resolve) => setImmediate(resolve));
        return written;
      },
    };
  }

  it('gives builders the time that others leave, and a weight while they leave hardly any', async () => {
    const machine = createMachine();
    const { end } = await machine.priority.lower(7);
    expect(machine.written()).toEqual(['cpu.idle 1']);
    expect(await machine.pass({ others: 20, builder: 80, idle: 0 })).toEqual([]);
    expect(await machine.pass({ others: 60, builder: 40, idle: 0 })).toEqual([]);
    expect(await machine.pass({ others: 99, builder: 1, idle: 0 })).toEqual([
      'cpu.idle 0',
      'cpu.shares 256',
    ]);
    expect(await machine.pass({ others: 80, builder: 20, idle: 0 })).toEqual([]);
    expect(await machine.pass({ others: 10, builder: 0, idle: 90 })).toEqual(['cpu.idle 1']);
    end();
    expect(machine.isWaiting()).toBe(false);
  });

  it('gives the next builder the same priority at once', async () => {
    const machine = createMachine();
    await machine.priority.lower(7);
    const busy = ['cpu.idle 0', 'cpu.shares 256'];
    expect(await machine.pass({ others: 100, builder: 0, idle: 0 })).toEqual(busy);
    await machine.priority.lower(7);
    expect(machine.written()).toEqual([...busy, ...busy]);
  });

  it('gives another process the priority of a builder', async () => {
    const machine = createMachine();
    const { join } = await machine.priority.lower(7);
    await join(8);
    expect(machine.written()).toEqual(['cpu.idle 1', 'cgroup.procs 8']);
  });

  it('lets a process run as others do if it cannot be moved', async () => {
    const machine = createMachine({ canMove: false });
    const { join } = await machine.priority.lower(7);
    await join(8);
    expect(machine.written()).toEqual(['cpu.idle 1']);
  });

  it('gives apps a large weight while there are builders, also if the first app starts later', async () => {
    const machine = createMachine();
    const [first, second] = [await machine.priority.lower(7), await machine.priority.lower(7)];
    machine.startApp('1024\n');
    expect(await machine.pass({ others: 0, builder: 100, idle: 0 })).toEqual(['cpu.shares 16384']);
    expect(await machine.pass({ others: 0, builder: 100, idle: 0 })).toEqual([]);
    first.end();
    expect(machine.written()).toEqual([]);
    second.end();
    expect(machine.written()).toEqual(['cpu.shares 1024']);
    await machine.priority.lower(7);
    expect(machine.written()).toEqual(['cpu.shares 1024', 'cpu.idle 1', 'cpu.shares 16384']);
  });

  it('returns to the usual weight of apps after a server that ended during a build', async () => {
    const machine = createMachine();
    machine.startApp('16384\n');
    const { end } = await machine.priority.lower(7);
    end();
    expect(machine.written()).toEqual(['cpu.idle 1', 'cpu.shares 1024']);
  });

  it('gives up on kernels that do not have it', async () => {
    const machine = createMachine({ hasIdle: false });
    await machine.priority.lower(7);
    expect(await machine.pass({ others: 0, builder: 0, idle: 100 })).toEqual([]);
    expect(machine.isWaiting()).toBe(false);
  });
});
