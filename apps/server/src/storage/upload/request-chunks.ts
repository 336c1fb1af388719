import type { Clock } from '../../clock.ts';
import { StorageProblem } from '../storage-problem.ts';

export type ChunkClock = Pick<Clock, 'setTimeout' | 'clearTimeout'>;

/** Somebody who sends nothing for so long has left. */
const STALL_MS = 30_000;

/**
 * The body as it arrives. Whoever stops reading does not cancel it: that would hang up on a client which has not heard
 * our answer yet.
 */
export async function* requestChunks(
  { body }: Request,
  clock: ChunkClock,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (;;) {
    const { promise: stalled, reject } = Promise.withResolvers<never>();
    const timer = clock.setTimeout(() => reject(tooSlow()), STALL_MS);
    try {
      const chunk = await Promise.race([reader?.read().catch(cutOff), stalled]);
      if (chunk?.value === undefined) return;
      yield chunk.value;
    } finally {
      clock.clearTimeout(timer);
    }
  }
}

function cutOff(cause: unknown): never {
  throw new StorageProblem(400, 'the upload was cut off', { cause });
}

function tooSlow(): StorageProblem {
  return new StorageProblem(408, 'the upload took too long to arrive');
}
