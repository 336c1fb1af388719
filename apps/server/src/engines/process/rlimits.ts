import type { Limits } from '../../processes/confine.ts';
import type { GroupLimits } from '../../processes/groups/group-files.ts';
import type { Groups } from '../../processes/groups/groups.ts';

const OPEN_FILES = 65_536;

/** `RLIMIT_DATA` counts memory that is mapped writable but never touched: thread stacks and what allocators hold in advance. */
const UNTOUCHED_MEMORY_FACTOR = 2;

/**
 * V8 maps the address range for its machine code (512 MiB on x64) readable, writable and executable in one piece when a
 * process starts, since the version in Node 24. All of it counts, whatever the machine's memory, and Node ends with SIGTRAP
 * ("Failed to reserve virtual memory for CodeRange") where it does not fit.
 */
const V8_CODE_RANGE_BYTES = 512 * 1024 ** 2;

/** The limits of each single process. Control groups limit memory better, so `RLIMIT_DATA` is set only where there are none. */
export function rlimitsOf({ memoryBytes }: GroupLimits, groups: Groups | undefined): Limits {
  if (groups !== undefined) return { openFiles: OPEN_FILES };
  const dataBytes = memoryBytes * UNTOUCHED_MEMORY_FACTOR + V8_CODE_RANGE_BYTES;
  return { openFiles: OPEN_FILES, dataBytes };
}
