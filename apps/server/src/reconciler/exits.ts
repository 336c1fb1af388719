import type { Exit } from '../engines/engine.ts';
import type { Reason } from '../engines/failure.ts';
import type { Crashes } from './retries.ts';

/** What a shell or a container's first program answers when it cannot find, or not run, what it was told to. */
const COMMAND_MISSING = [126, 127];
/** From so many crashes in a row on, that it crashes matters more than how. */
const LOOP_CRASHES = 3;
const MINUTE_MS = 60_000;

/** Why an app stopped, as far as its end tells. */
export function exitReason({ code = 0, signal, isOutOfMemory = false }: Exit): Reason {
  if (isOutOfMemory) return 'out-of-memory';
  if (COMMAND_MISSING.includes(code)) return 'start-command-missing';
  return signal === undefined ? 'app-exited' : 'app-killed';
}

/** The same of one that stops again and again. What is known better than that stays. */
export function crashReason(exit: Exit, { count }: Crashes): Reason {
  const reason = exitReason(exit);
  const isPlain = reason === 'app-exited' || reason === 'app-killed';
  return isPlain && count >= LOOP_CRASHES ? 'crash-loop' : reason;
}

export function crashEvidence(exit: Exit, crashes: Crashes): string[] {
  return crashes.count < LOOP_CRASHES
    ? [exitSentence(exit)]
    : [exitSentence(exit), loopSentence(crashes)];
}

/** How an app ended, in words; nobody saw it when it ended while Longshore was away. */
export function exitSentence({ code, signal }: Exit): string {
  if (signal !== undefined) return `It was ended by ${signal}.`;
  return code === undefined ? 'Its exit code is not known.' : `Its exit code was ${code}.`;
}

function loopSentence({ count, withinMs, pauseMs }: Crashes): string {
  const minutes = Math.max(1, Math.ceil(withinMs / MINUTE_MS));
  const within = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `It stopped ${count} times within ${within}. The next start is in ${pauseMs / 1_000} s.`;
}
