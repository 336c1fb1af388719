/** What the processes of a group may use together. */
export type ResourceLimits = { memoryBytes: number; cpus: number; processes: number };

/** The kernel has two ways to keep groups: one tree for everything, or one for each thing that is limited. */
export type ControlGroupVersion = 1 | 2;

export const CONTROLLERS = ['memory', 'cpu', 'pids'] as const;
export type Controller = (typeof CONTROLLERS)[number];

export type LimitFile = {
  controller: Controller;
  file: string;
  value: string;
  /** A kernel without swap has no such file. */
  isOptional?: boolean;
};

const PERIOD_US = 100_000;

/** What to write where, for the limits to hold. Swap would only make an app slow where it should be told. */
export function limitFiles(version: ControlGroupVersion, limits: ResourceLimits): LimitFile[] {
  const memory = String(limits.memoryBytes);
  const quota = Math.round(limits.cpus * PERIOD_US);
  const processes: LimitFile = {
    controller: 'pids',
    file: 'pids.max',
    value: String(limits.processes),
  };
  if (version === 2) {
    return [
      { controller: 'memory', file: 'memory.max', value: memory },
      { controller: 'memory', file: 'memory.swap.max', value: '0', isOptional: true },
      { controller: 'cpu', file: 'cpu.max', value: `${quota} ${PERIOD_US}` },
      processes,
    ];
  }
  const withSwap = 'memory.memsw.limit_in_bytes';
  return [
    { controller: 'memory', file: 'memory.limit_in_bytes', value: memory },
    { controller: 'memory', file: withSwap, value: memory, isOptional: true },
    { controller: 'cpu', file: 'cpu.cfs_period_us', value: String(PERIOD_US) },
    { controller: 'cpu', file: 'cpu.cfs_quota_us', value: String(quota) },
    processes,
  ];
}

/** Where the kernel counts the processes that it ended for want of memory. */
export function memoryEventsFile(version: ControlGroupVersion): string {
  return version === 2 ? 'memory.events' : 'memory.oom_control';
}

export function parseMemoryKills(text: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}

export function parsePids(text: string): number[] {
  return text.split('\n').filter(Boolean).map(Number);
}
