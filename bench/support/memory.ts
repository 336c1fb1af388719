import { readFileSync } from 'node:fs';
import { residentBytes } from './resident-pages.ts';

export type Memory = {
  /** Each resident page counted once; undefined without root. */
  uniqueMb: number | undefined;
  /** Proportional set size: shared pages are divided among their processes. */
  pssMb: number;
  /** Resident set size: shared pages are counted for each process. */
  rssMb: number;
};

const MB = 1_000_000;

export function memoryOf(pids: readonly number[]): Memory {
  const unique = residentBytes(pids);
  const rollups = pids.map((pid) => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  const sum = (field: string) =>
    rollups.reduce((total, rollup) => total + kilobytes(rollup, field), 0);
  return {
    uniqueMb: unique === undefined ? undefined : unique / MB,
    pssMb: (sum('Pss') * 1024) / MB,
    rssMb: (sum('Rss') * 1024) / MB,
  };
}

function kilobytes(rollup: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1] ?? 0);
}
