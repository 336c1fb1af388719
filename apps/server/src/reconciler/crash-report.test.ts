import { describe, expect, it } from 'vitest';
import { DEFAULT_SIZE } from '../../test/tiers.ts';
import type { NextSize } from '../apps/account-usage.ts';
import type { Exit } from '../engines/engine.ts';
import type { Reason } from '../engines/failure.ts';
import { crashEvidence, crashReason, exitReason, exitText, sizeEvidence } from './crash-report.ts';
import type { Crashes } from './retries.ts';

const T2 = { name: 't2', cpus: 1, memoryBytes: 1024 ** 3, processes: 512 };
const ONCE: Crashes = { count: 1, withinMs: 0, pauseMs: 1_000 };
const OFTEN: Crashes = { count: 5, withinMs: 61_000, pauseMs: 16_000 };

it.each([
  [{ code: 3 }, 'Exit code 3.'],
  [{ signal: 'SIGKILL' }, 'Killed by SIGKILL.'],
  [{}, 'Exit code unknown.'],
])('describes an exit %o', (exit, text) => {
  expect(exitText(exitOf(exit))).toBe(text);
});

it.each<[NextSize, string]>([
  [{ kind: 'allowed', tier: T2 }, 'The size of the app is 0.5 CPU, 512 MiB.'],
  [
    { kind: 'over-quota', tier: T2 },
    'The size of the app is 0.5 CPU, 512 MiB. The next size, 1 CPU, 1 GiB, is over the limits of your account.',
  ],
  [{ kind: 'none' }, 'The size of the app is 0.5 CPU, 512 MiB. This server has no larger size.'],
])('describes a size that was too small, with %j', (next, line) => {
  expect(sizeEvidence(DEFAULT_SIZE, next)).toEqual([line]);
});

it.each<[Partial<Exit>, Reason, lines?: string[]]>([
  [{ code: 3 }, 'app-exited'],
  [{ code: 3 }, 'app-exited', ['sh: 1: migrate: not found']],
  [{ code: 0 }, 'app-exited'],
  [{}, 'app-exited'],
  [{ code: 126 }, 'start-command-missing'],
  [{ code: 126 }, 'start-command-missing', ['sh: 1: ./serve: Permission denied']],
  [{ code: 127 }, 'start-command-missing'],
  [{ code: 127 }, 'start-command-missing', ['', 'sh: 1: serve: not found']],
  [{ code: 127 }, 'app-exited', ['Missing -text option or ECHO_TEXT env var!']],
  [{ signal: 'SIGSEGV' }, 'app-killed'],
  [{ signal: 'SIGKILL', isOutOfMemory: true }, 'out-of-memory'],
])('classifies an exit %o as %s', (exit, reason, lines = []) => {
  expect(exitReason(exitOf(exit), lines)).toBe(reason);
  expect(crashReason(exitOf(exit), ONCE, lines)).toBe(reason);
});

describe('an app that crashes repeatedly', () => {
  it.each<[Partial<Exit>, Reason]>([
    [{ code: 3 }, 'crash-loop'],
    [{ signal: 'SIGSEGV' }, 'crash-loop'],
    [{ code: 127 }, 'start-command-missing'],
    [{ signal: 'SIGKILL', isOutOfMemory: true }, 'out-of-memory'],
  ])('with %o has the reason %s', (exit, reason) => {
    expect(crashReason(exitOf(exit), OFTEN, [])).toBe(reason);
  });

  it.each([
    [ONCE, ['Exit code 3.']],
    [OFTEN, ['Exit code 3.', 'Crashed 5 times within 2 minutes.']],
    [{ ...OFTEN, withinMs: 9_000 }, ['Exit code 3.', 'Crashed 5 times within a minute.']],
  ])('has the count and the next restart in its evidence: %o', (crashes, evidence) => {
    expect(crashEvidence(exitOf({ code: 3 }), crashes)).toEqual(evidence);
  });

  it('says what to do about a command that ends without an error', () => {
    const [line] = crashEvidence(exitOf({ code: 0 }), ONCE);
    expect(line).toMatch(/^Exit code 0\. The command ended without an error\. Enter one that/);
  });
});

function exitOf(exit: Partial<Exit>): Exit {
  return { code: undefined, signal: undefined, at: new Date(0), ...exit };
}
