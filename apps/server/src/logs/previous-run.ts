import { logSourceOf } from '@longshore/contract';
import type { LogRecord } from './log-record.ts';

type Run = { instance: number; records: LogRecord[] };

/** Collects the lines of the run before the newest one. Names end in the number of their instance. */
export type PreviousRun = { add(record: LogRecord): void; records(): LogRecord[] };

export function createPreviousRun(maxLines: number): PreviousRun {
  let newest: Run | undefined;
  let previous: Run | undefined;

  return {
    add(record) {
      const instance = instanceOf(record);
      if (instance === undefined) return;
      if (newest === undefined || instance > newest.instance) {
        previous = newest;
        newest = { instance, records: [record] };
        return;
      }
      if (instance === newest.instance) keep(newest, record, maxLines);
      // The old run may still speak while the new one starts.
      else if (instance === previous?.instance) keep(previous, record, maxLines);
      else if (previous === undefined || instance > previous.instance) {
        previous = { instance, records: [record] };
      }
    },
    records: () => previous?.records.slice(-maxLines) ?? [],
  };
}

function keep(run: Run, record: LogRecord, maxLines: number): void {
  run.records.push(record);
  if (run.records.length > maxLines * 2) run.records = run.records.slice(-maxLines);
}

function instanceOf({ name }: LogRecord): number | undefined {
  if (logSourceOf(name) === 'build') return undefined;
  const number = /-(\d+)$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
}
