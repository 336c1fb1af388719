import { z } from 'zod';
import type { EngineRecords } from './engine-records.ts';

/** Grows with each instance of an app, so that no two instances share a log. `folder`: of the records of the app. */
export async function nextInstanceNumber(
  records: EngineRecords,
  taken: number[],
  folder = '.',
): Promise<number> {
  const path = `${folder}/last-instance`;
  const last = (await records.read(path, z.int())) ?? 0;
  const next = Math.max(last, ...taken) + 1;
  await records.write(path, next);
  return next;
}
