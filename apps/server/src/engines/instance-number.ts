import type { EngineRecords } from './engine-records.ts';

/** Grows with each instance of an app, so that no two instances share a log. `folder`: of the records of the app. */
export async function nextInstanceNumber(
  records: EngineRecords,
  taken: number[],
  folder = '.',
): Promise<number> {
  return await records.increase(`${folder}/last-instance`, Math.max(0, ...taken));
}
