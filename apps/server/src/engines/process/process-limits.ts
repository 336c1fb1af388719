import { MAX_REPLICAS } from '@longshore/contract';
import type { ProcessLimits } from '../../processes/confine.ts';
import type { ResourceLimits } from '../../processes/control-groups/control-group-files.ts';
import type { ControlGroups } from '../../processes/control-groups/control-groups.ts';
import type { EngineDeps } from './deps.ts';

const OPEN_FILES = 65_536;

/** `RLIMIT_DATA` counts memory that is mapped writable but never touched: thread stacks and memory that allocators reserve. */
const UNTOUCHED_MEMORY_FACTOR = 2;

/**
 * V8 maps the address range for its machine code (512 MiB on x64) readable, writable and executable in one piece when a
 * process starts, since Node 24. All of it counts, whatever the memory of the machine, and Node exits with SIGTRAP ("Failed to
 * reserve virtual memory for CodeRange") when it exceeds the limit.
 */
const V8_CODE_RANGE_BYTES = 512 * 1024 ** 2;

/** During a switch-over, those of both releases run. */
const MAX_INSTANCES = 2 * MAX_REPLICAS;

/** The limits of each single process. Control groups limit memory better, so `RLIMIT_DATA` is set only where there are none. */
export function processLimits(
  { memoryBytes }: ResourceLimits,
  groups: ControlGroups | undefined,
): ProcessLimits {
  if (groups !== undefined) return { openFiles: OPEN_FILES };
  const dataBytes = memoryBytes * UNTOUCHED_MEMORY_FACTOR + V8_CODE_RANGE_BYTES;
  return { openFiles: OPEN_FILES, dataBytes };
}

/**
 * The same for an instance or a command. `RLIMIT_NPROC` counts everything that runs as the user of the app: all instances and
 * its build. Control groups limit each of them, so it is set only where there are none.
 */
export function programLimits(
  size: ResourceLimits,
  { groups, limits, hasOwnIdentities }: Pick<EngineDeps, 'groups' | 'limits' | 'hasOwnIdentities'>,
): ProcessLimits {
  const shared = processLimits(size, groups);
  if (groups !== undefined || !hasOwnIdentities) return shared;
  return { ...shared, processes: MAX_INSTANCES * size.processes + limits.build.processes };
}

/** Which limits are active on this machine, for the server log. */
export function describeLimits(machine: {
  hasGroups: boolean;
  hasOwnIdentities: boolean;
  hasPrlimit: boolean;
}): string {
  const { hasGroups, hasOwnIdentities, hasPrlimit } = machine;
  if (hasGroups) return 'Apps are limited in memory, CPU and processes by control groups';
  const prefix = 'No control groups available:';
  if (!hasPrlimit) return `${prefix} CPU, memory and processes of apps are not limited`;
  return hasOwnIdentities
    ? `${prefix} CPU of apps is not limited, memory and processes only approximately`
    : `${prefix} CPU and processes of apps are not limited, memory only approximately`;
}
