import type { Limits } from '../../processes/confine.ts';
import type { GroupLimits } from '../../processes/groups/group-files.ts';
import type { Groups } from '../../processes/groups/groups.ts';

const OPEN_FILES = 65_536;

/**
 * What each process is held to. Where there are no groups that is memory too, twice as much of it: all that a process may write
 * counts, whether it does or not.
 */
export function rlimitsOf({ memoryBytes }: GroupLimits, groups: Groups | undefined): Limits {
  return { openFiles: OPEN_FILES, ...(groups === undefined ? { dataBytes: memoryBytes * 2 } : {}) };
}
