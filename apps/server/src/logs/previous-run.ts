import type { LogRecord } from './log-record.ts';

/** One run of an app: its log name, and the sequence numbers of its last lines. */
export type Run = { name: string; sequences: number[] };
type NumberedRun = { instance: number; run: Run };

/** Finds the run before the newest one. Log names end in the number of their instance. Stores no text. */
export type PreviousRunFinder = {
  add(record: LogRecord): void;
  previousRun(): Run | undefined;
};

export function createPreviousRunFinder(maxLines: number): PreviousRunFinder {
  let newest: NumberedRun | undefined;
  let previous: NumberedRun | undefined;

  return {
    add({ name, sequence }) {
      const instance = Number(/-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(instance)) return;
      const startRun = () => ({ instance, run: { name, sequences: [sequence] } });
      if (newest === undefined || instance > newest.instance) {
        previous = newest;
        newest = startRun();
      } else if (instance === newest.instance) addLine(newest.run, sequence, maxLines);
      // The old run may still write lines while the new one starts.
      else if (instance === previous?.instance) addLine(previous.run, sequence, maxLines);
      else if (previous === undefined || instance > previous.instance) previous = startRun();
    },
    previousRun: () =>
      previous && { ...previous.run, sequences: previous.run.sequences.slice(-maxLines) },
  };
}

function addLine(run: Run, sequence: number, maxLines: number): void {
  run.sequences.push(sequence);
  if (run.sequences.length > maxLines * 2) run.sequences = run.sequences.slice(-maxLines);
}
