import { type Capacity, sizeText } from '@longshore/contract';
import type { NextSize } from '../apps/account-usage.ts';
import type { Exit } from '../engines/engine.ts';
import type { Reason } from '../engines/failure.ts';
import type { Crashes } from './retries.ts';

/** Exit codes of a shell or a container runtime that cannot find or run the start command. */
const COMMAND_MISSING_CODES = [126, 127];
/** What they print. Programs use the same codes for errors of their own. */
const COMMAND_MISSING =
  /not found|no such file|permission denied|cannot execute|can['’]t open|exec format/i;
/** This many crashes in a row are a crash loop. */
const LOOP_CRASHES = 3;
const MINUTE_MS = 60_000;
const ENDED =
  'The command ended without an error. Enter one that keeps running, or fix what it starts.';

/** The reason that follows from the exit, and from the last lines where an exit code can mean several things. */
export function exitReason(
  { code = 0, signal, isOutOfMemory = false }: Exit,
  lines: readonly string[],
): Reason {
  if (isOutOfMemory) return 'out-of-memory';
  const printsNothing = lines.every((line) => line.trim() === '');
  if (
    COMMAND_MISSING_CODES.includes(code) &&
    (printsNothing || lines.some((line) => COMMAND_MISSING.test(line)))
  ) {
    return 'start-command-missing';
  }
  return signal === undefined ? 'app-exited' : 'app-killed';
}

/** The reason of a crash: a crash loop after several crashes, unless the exit has a more specific reason. */
export function crashReason(exit: Exit, { count }: Crashes, lines: readonly string[]): Reason {
  const reason = exitReason(exit, lines);
  const isGeneric = reason === 'app-exited' || reason === 'app-killed';
  return isGeneric && count >= LOOP_CRASHES ? 'crash-loop' : reason;
}

export function crashEvidence(exit: Exit, crashes: Crashes): string[] {
  const ended = exit.code === 0 ? [`${exitText(exit)} ${ENDED}`] : [exitText(exit)];
  return crashes.count < LOOP_CRASHES ? ended : [...ended, loopText(crashes)];
}

/** The size of an app that ran out of memory, and why no larger one is offered. */
export function sizeEvidence(size: Capacity, next: NextSize): string[] {
  const line = `The size of the app is ${sizeText(size)}.`;
  switch (next.kind) {
    case 'allowed':
      return [line];
    case 'none':
      return [`${line} This server has no larger size.`];
    case 'over-quota':
      return [`${line} The next size, ${sizeText(next.tier)}, is over the limits of your account.`];
  }
}

/** The exit code is unknown when the app exited while the server was not running. */
export function exitText({ code, signal }: Omit<Exit, 'at'>): string {
  if (signal !== undefined) return `Killed by ${signal}.`;
  return code === undefined ? 'Exit code unknown.' : `Exit code ${code}.`;
}

function loopText({ count, withinMs }: Crashes): string {
  const minutes = Math.max(1, Math.ceil(withinMs / MINUTE_MS));
  const within = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `Crashed ${count} times within ${within}.`;
}
