import { expect, it } from 'vitest';
import {
  COMMAND_MAX_SECONDS,
  commandSecondsProblem,
  decodeCommands,
  isActiveCommand,
  runCommandProblem,
} from './app-command.ts';

it.each([
  ['npm run report', true],
  ['a && b | c', true],
  ['', false],
  ['  ', false],
  ['one\ntwo', false],
  ['x'.repeat(1_001), false],
])('checks the command %j', (text, isValid) => {
  expect(runCommandProblem(text) === undefined).toBe(isValid);
});

it.each([
  [1, true],
  [COMMAND_MAX_SECONDS, true],
  [COMMAND_MAX_SECONDS + 1, false],
  [0, false],
  [1.5, false],
  ['60', false],
  [undefined, false],
])('checks the time limit %j', (seconds, isValid) => {
  expect(commandSecondsProblem(seconds) === undefined).toBe(isValid);
});

it('decodes rows, and skips malformed ones and unknown states', () => {
  const row = {
    number: 2,
    command: 'env',
    state: 'failed',
    exit_code: 3,
    message: null,
    release: 7,
    actor: { userId: 'a', name: 'Ada' },
    started_at: '2025-01-01T00:00:00Z',
    ended_at: null,
  };
  const decoded = decodeCommands([row, { ...row, state: 'new' }, { state: 'failed' }, null]);
  expect(decoded).toEqual([
    {
      number: 2,
      command: 'env',
      state: 'failed',
      exitCode: 3,
      message: '',
      release: 7,
      actor: { userId: 'a', name: 'Ada' },
      startedAt: '2025-01-01T00:00:00Z',
      endedAt: undefined,
    },
  ]);
  expect(decodeCommands(undefined)).toEqual([]);
});

it.each([
  ['queued', true],
  ['running', true],
  ['succeeded', false],
  ['interrupted', false],
] as const)('a command that is %s is active: %s', (state, isActive) => {
  expect(isActiveCommand({ state })).toBe(isActive);
});
