import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '@longshore/edge-contract';

/**
 * Gives everything else CPU time before builders: the kernel interrupts a group with `cpu.idle` as soon as another program wakes up,
 * while a group with a small weight would finish its time slice first. While other programs use nearly all processors, builders
 * have a small weight instead: otherwise they would hardly run at all.
 *
 * An engine that was not started by systemd has no group, so each thread with which it unpacks an image counts as much as all
 * containers together. While there are builders, the group of the containers has a large weight.
 */
export type BuilderPriority = {
  /** `pid`: of a builder in a top-level group. */
  lower(pid: number): Promise<LoweredBuilder>;
};

export type LoweredBuilder = {
  /** Moves a process into the group of the builder. It ends with the builder. */
  join(pid: number): Promise<void>;
  /** Ends the changes of its priority. */
  end(): void;
};

/** Of the CPU time of the machine, so that builders have the rest of it. */
const MAX_OTHERS = 0.75;
/** Longer than the Docker Engine takes to unpack an image, for which builders need not have more CPU time. */
const PERIOD_MS = 10_000;
const ROOT = '/sys/fs/cgroup';

/** A quarter of what others have in version 1 and version 2 of control groups. */
const [SHARES, WEIGHT] = ['256', '25'];
/** Sixteen times the usual values. */
const [APP_SHARES, APP_WEIGHT] = [
  { value: '16384', usual: '1024' },
  { value: '1600', usual: '100' },
];
/** Contains all containers of an engine that does not use systemd. */
const CONTAINERS = 'docker';

/** The value for `CgroupParent` of a container whose group is beside those of apps and services, not within one of them. */
export function topGroup(driver: string): string {
  return driver === 'systemd' ? '-.slice' : '/';
}

/** The files of a control group. */
export type CpuFiles = {
  idle: string;
  used: string;
  weight: { path: string; value: string };
  processes: string;
  /** Of the group that apps are in, if it exists. */
  apps: { path: string; value: string; usual: string };
};

/** `groups`: the content of /proc/<pid>/cgroup, of version 1 or 2. */
export function cpuFiles(groups: string): CpuFiles | undefined {
  const folders = new Map<string, string>();
  for (const line of groups.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.+)$/.exec(line) ?? [];
    for (const controller of controllers?.split(',') ?? []) {
      folders.set(
        controller,
        controller === '' ? `${ROOT}${path}` : `${ROOT}/${controllers}${path}`,
      );
    }
  }
  const [cpu, usage, unified] = ['cpu', 'cpuacct', ''].map((name) => folders.get(name));
  if (cpu !== undefined && usage !== undefined) {
    const weight = { path: `${cpu}/cpu.shares`, value: SHARES };
    return {
      idle: `${cpu}/cpu.idle`,
      used: `${usage}/cpuacct.usage`,
      weight,
      processes: `${cpu}/cgroup.procs`,
      apps: { path: join(dirname(cpu), CONTAINERS, 'cpu.shares'), ...APP_SHARES },
    };
  }
  if (unified === undefined) return undefined;
  const weight = { path: `${unified}/cpu.weight`, value: WEIGHT };
  return {
    idle: `${unified}/cpu.idle`,
    used: `${unified}/cpu.stat`,
    weight,
    processes: `${unified}/cgroup.procs`,
    apps: { path: join(dirname(unified), CONTAINERS, 'cpu.weight'), ...APP_WEIGHT },
  };
}

/** The CPU time of a group, of version 1 or 2. */
export function usedMs(text: string): number {
  const microseconds = /^usage_usec (\d+)$/m.exec(text)?.[1];
  return microseconds === undefined ? Number(text) / 1e6 : Number(microseconds) / 1e3;
}

/** `/proc/stat` counts in hundredths of a second: user, nice, system, idle, iowait, irq, softirq, steal. */
export function machineTimes(text: string): { totalMs: number; idleMs: number } {
  const times = /^cpu +(.+)$/m.exec(text)?.[1]?.split(' ').slice(0, 8).map(Number) ?? [];
  const totalMs = 10 * times.reduce((sum, time) => sum + time, 0);
  return { totalMs, idleMs: 10 * ((times[3] ?? 0) + (times[4] ?? 0)) };
}

/** The times are those of one period. */
export function leavesTime(times: {
  totalMs: number;
  idleMs: number;
  buildersMs: number;
}): boolean {
  const { totalMs, idleMs, buildersMs } = times;
  return totalMs - idleMs - buildersMs < MAX_OTHERS * totalMs;
}

/** The files of the kernel. */
export type KernelFiles = {
  /** Undefined when it does not exist. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
};

export const kernelFiles: KernelFiles = {
  read: (path) => readFile(path, 'utf8').catch(() => undefined),
  write: (path, text) => writeFile(path, text),
};

/** `isIdle`: what the kernel has. Undefined: neither was written yet. */
type Lowered = { files: CpuFiles; isIdle: boolean | undefined; usedMs: number };

export function createBuilderPriority(
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'> = systemClock,
  files: KernelFiles = kernelFiles,
): BuilderPriority {
  const builders = new Set<Lowered>();
  let machine = { totalMs: 0, idleMs: 0 };
  let isIdle = true;
  let timer: unknown;
  /** The weight of apps to return to. */
  let returnTo: { path: string; value: string } | undefined;

  function end(builder: Lowered): void {
    builders.delete(builder);
    if (builders.size > 0) return;
    clock.clearTimeout(timer);
    if (returnTo !== undefined) files.write(returnTo.path, returnTo.value).catch(() => {});
    returnTo = undefined;
  }

  /** Their group appears with the first of them. */
  async function raiseApps({ path, value, usual }: CpuFiles['apps']): Promise<void> {
    if (returnTo !== undefined) return;
    const current = (await files.read(path))?.trim();
    if (current === undefined) return;
    // A server that ended during a build has left its own value.
    returnTo = { path, value: current === value ? usual : current };
    if (current !== value) await files.write(path, value).catch(() => {});
  }

  function schedule(): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void adjust(), PERIOD_MS);
  }

  async function adjust(): Promise<void> {
    const used = await Promise.all([...builders].map(measure));
    const { totalMs, idleMs } = await readMachine();
    isIdle = leavesTime({
      totalMs: totalMs - machine.totalMs,
      idleMs: idleMs - machine.idleMs,
      buildersMs: used.reduce((sum, ms) => sum + ms, 0),
    });
    machine = { totalMs, idleMs };
    await Promise.all([...builders].map(apply));
    for (const builder of builders) await raiseApps(builder.files.apps);
    if (builders.size > 0) schedule();
  }

  async function readMachine(): Promise<{ totalMs: number; idleMs: number }> {
    return machineTimes((await files.read('/proc/stat')) ?? '');
  }

  /** The CPU time since the last call. */
  async function measure(builder: Lowered): Promise<number> {
    const before = builder.usedMs;
    const text = await files.read(builder.files.used);
    if (text !== undefined) builder.usedMs = usedMs(text);
    return builder.usedMs - before;
  }

  async function apply(builder: Lowered): Promise<void> {
    if (builder.isIdle === isIdle) return;
    const { idle, weight } = builder.files;
    try {
      await files.write(idle, isIdle ? '1' : '0');
      if (!isIdle) await files.write(weight.path, weight.value);
      builder.isIdle = isIdle;
    } catch {
      // It has just ended, or the kernel is older than `cpu.idle`, which Linux has since 5.15.
      end(builder);
    }
  }

  return {
    async lower(pid) {
      const found = cpuFiles((await files.read(`/proc/${pid}/cgroup`)) ?? '');
      if (found === undefined) return { join: async () => {}, end() {} };
      const builder: Lowered = { files: found, isIdle: undefined, usedMs: 0 };
      await measure(builder);
      const times = await readMachine();
      if (builders.size === 0) {
        machine = times;
        isIdle = true;
        schedule();
      }
      builders.add(builder);
      await apply(builder);
      if (builders.has(builder)) await raiseApps(found.apps);
      return {
        async join(processId) {
          // Not possible if buildkitd has divided its group, or has just ended. The process then runs as others do.
          await files.write(found.processes, String(processId)).catch(() => {});
        },
        end: () => end(builder),
      };
    },
  };
}
