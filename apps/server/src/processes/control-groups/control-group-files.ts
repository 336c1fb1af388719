/** Limits for all processes of a group together. */
export type ResourceLimits = { memoryBytes: number; cpus: number; processes: number };

/** Version 2 has one tree for all controllers, version 1 has one tree per controller. */
export type ControlGroupVersion = 1 | 2;

export const CONTROLLERS = ['memory', 'cpu', 'pids'] as const;
export type Controller = (typeof CONTROLLERS)[number];

export type LimitFile = {
  controller: Controller;
  file: string;
  value: string;
  /** Kernels without swap accounting do not have the file. */
  isOptional?: boolean;
};

const PERIOD_US = 100_000;

/** The files and values that set the limits. Without swap: an app over its limit must fail visibly, not become slow. */
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
  // Not part of the memory in this version: a program could use all buffers of the machine.
  const socketBuffers = 'memory.kmem.tcp.limit_in_bytes';
  return [
    { controller: 'memory', file: 'memory.limit_in_bytes', value: memory },
    { controller: 'memory', file: withSwap, value: memory, isOptional: true },
    { controller: 'memory', file: socketBuffers, value: memory, isOptional: true },
    { controller: 'cpu', file: 'cpu.cfs_period_us', value: String(PERIOD_US) },
    { controller: 'cpu', file: 'cpu.cfs_quota_us', value: String(quota) },
    processes,
  ];
}

/** The file in which the kernel counts processes that it killed for lack of memory. */
export function memoryEventsFile(version: ControlGroupVersion): string {
  return version === 2 ? 'memory.events' : 'memory.oom_control';
}

export function parseMemoryKills(text: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}

export function parsePids(text: string): number[] {
  return text.split('\n').filter(Boolean).map(Number);
}
