import { setTimeout as pause } from 'node:timers/promises';
import type { Background } from '../background.ts';

/** Longer than the work takes on a good day, short enough not to annoy. */
const ANSWER_AFTER_MS = 250;

/**
 * Does the work, but answers after a fixed time and says nothing of how it went: from outside nobody can tell
 * whether there was anything to do. Work that takes longer ends after the answer.
 */
export async function respondInFixedTime(
  work: () => Promise<void>,
  { background }: { background: Background },
): Promise<void> {
  const answer = pause(ANSWER_AFTER_MS);
  background.run(work);
  await answer;
}
