import { describe, expect, it } from 'vitest';
import type { Exit } from '../engines/engine.ts';
import type { Reason } from '../engines/failure.ts';
import { crashEvidence, crashReason, exitReason, exitSentence } from './exits.ts';
import type { Crashes } from './retries.ts';

const ONCE: Crashes = { count: 1, withinMs: 0, pauseMs: 1_000 };
const OFTEN: Crashes = { count: 5, withinMs: 61_000, pauseMs: 16_000 };

it.each([
  [{ code: 3 }, 'Its exit code was 3.'],
  [{ signal: 'SIGKILL' }, 'It was ended by SIGKILL.'],
  [{}, 'Its exit code is not known.'],
])('words an exit %o', (exit, sentence) => {
  expect(exitSentence(exitOf(exit))).toBe(sentence);
});

it.each<[Partial<Exit>, Reason]>([
  [{ code: 3 }, 'app-exited'],
  [{ code: 0 }, 'app-exited'],
  [{}, 'app-exited'],
  [{ code: 126 }, 'start-command-missing'],
  [{ code: 127 }, 'start-command-missing'],
  [{ signal: 'SIGSEGV' }, 'app-killed'],
  [{ signal: 'SIGKILL', isOutOfMemory: true }, 'out-of-memory'],
])('names the reason of an exit %o: %s', (exit, reason) => {
  expect(exitReason(exitOf(exit))).toBe(reason);
  expect(crashReason(exitOf(exit), ONCE)).toBe(reason);
});

describe('an app that stops again and again', () => {
  it.each<[Partial<Exit>, Reason]>([
    [{ code: 3 }, 'crash-loop'],
    [{ signal: 'SIGSEGV' }, 'crash-loop'],
    [{ code: 127 }, 'start-command-missing'],
    [{ signal: 'SIGKILL', isOutOfMemory: true }, 'out-of-memory'],
  ])('with %o has the reason %s', (exit, reason) => {
    expect(crashReason(exitOf(exit), OFTEN)).toBe(reason);
  });

  it.each([
    [ONCE, ['Its exit code was 3.']],
    [
      OFTEN,
      ['Its exit code was 3.', 'It stopped 5 times within 2 minutes. The next start is in 16 s.'],
    ],
    [
      { ...OFTEN, withinMs: 9_000 },
      ['Its exit code was 3.', 'It stopped 5 times within a minute. The next start is in 16 s.'],
    ],
  ])('says how often, and when it is started again: %o', (crashes, evidence) => {
    expect(crashEvidence(exitOf({ code: 3 }), crashes)).toEqual(evidence);
  });
});

function exitOf(exit: Partial<Exit>): Exit {
  return { code: undefined, signal: undefined, at: new Date(0), ...exit };
}
