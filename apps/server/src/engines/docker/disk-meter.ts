type DiskMeterDeps<Measured> = {
  /** Undefined if it is not possible. */
  measure(subject: Measured): Promise<number | undefined>;
  clock: { now(): number };
  logError(error: unknown): void;
};

/** After each measurement the meter rests for so many times as long. */
const REST = 1_000;

/**
 * Measures one disk after the other, because that takes longer the more files there are. The rests limit what it costs, so that many
 * files only make the numbers older.
 */
export function createDiskMeter<Measured>({ measure, clock, logError }: DiskMeterDeps<Measured>) {
  /** By id, the oldest measurement first. */
  const known = new Map<string, number | undefined>();
  let isMeasuring = false;
  let restsUntil = 0;

  async function run(id: string, subject: Measured): Promise<void> {
    const start = clock.now();
    isMeasuring = true;
    try {
      const bytes = await measure(subject);
      known.delete(id);
      known.set(id, bytes);
    } catch (error) {
      logError(error);
    } finally {
      isMeasuring = false;
      restsUntil = clock.now() + REST * (clock.now() - start);
    }
  }

  return {
    bytesOf: (id: string) => known.get(id),
    /** Forgets all others, and starts to measure the one whose number is missing or oldest, unless it is too early. */
    measureNext(subjects: ReadonlyMap<string, Measured>): void {
      for (const id of known.keys()) if (!subjects.has(id)) known.delete(id);
      if (isMeasuring || clock.now() < restsUntil) return;
      const missing = [...subjects.keys()].find((id) => !known.has(id));
      const next = missing ?? known.keys().next().value;
      const subject = next === undefined ? undefined : subjects.get(next);
      if (next !== undefined && subject !== undefined) void run(next, subject);
    },
  };
}
