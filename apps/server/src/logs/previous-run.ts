import type { LogRecord } from './log-record.ts';

/** One run of an app: the name of its lines, and the numbers of the last ones. */
export type Run = { name: string; sequences: number[] };
type Numbered = { instance: number; run: Run };

/** Finds the run before the newest one. Names end in the number of their instance. Keeps no text. */
export type PreviousRun = { add(record: LogRecord): void; run(): Run | undefined };

export function createPreviousRun(maxLines: number): PreviousRun {
  let newest: Numbered | undefined;
  let previous: Numbered | undefined;

  return {
    add({ name, sequence }) {
      const instance = Number(/-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(instance)) return;
      const begun = () => ({ instance, run: { name, sequences: [sequence] } });
      if (newest === undefined || instance > newest.instance) {
        previous = newest;
        newest = begun();
      } else if (instance === newest.instance) keep(newest.run, sequence, maxLines);
      // The old run may still speak while the new one starts.
      else if (instance === previous?.instance) keep(previous.run, sequence, maxLines);
      else if (previous === undefined || instance > previous.instance) previous = begun();
    },
    run: () => previous && { ...previous.run, sequences: previous.run.sequences.slice(-maxLines) },
  };
}

function keep(run: Run, sequence: number, maxLines: number): void {
  run.sequences.push(sequence);
  if (run.sequences.length > maxLines * 2) run.sequences = run.sequences.slice(-maxLines);
}
