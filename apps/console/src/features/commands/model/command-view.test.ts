import type { CommandRun } from '@longshore/contract';
import { expect, it } from 'vitest';
import { commandView } from './command-view.ts';

const run: CommandRun = {
  number: 1,
  command: 'env',
  state: 'succeeded',
  exitCode: 0,
  message: '',
  release: 3,
  startedAt: '2025-01-01T00:00:00Z',
  endedAt: '2025-01-01T00:00:05Z',
};

it.each<[Partial<CommandRun>, object]>([
  [{}, { state: 'Succeeded', tone: 'ok', facts: ['5 s', 'Release 3'], isActive: false }],
  [
    { state: 'failed', exitCode: 2, actor: { userId: 'a', name: 'Ada' } },
    { tone: 'bad', facts: ['Exit code 2', '5 s', 'Release 3', 'By Ada'] },
  ],
  [
    { state: 'interrupted', exitCode: undefined, message: 'The server was restarted.' },
    { state: 'Interrupted', tone: 'bad', facts: ['The server was restarted.', '5 s', 'Release 3'] },
  ],
  [
    { state: 'running', exitCode: undefined, endedAt: undefined },
    { state: 'Running', tone: 'busy', facts: ['9 s', 'Release 3'], isActive: true },
  ],
  [
    { state: 'cancelled', exitCode: undefined },
    { state: 'Cancelled', tone: 'idle' },
  ],
  [
    { state: 'timed-out', exitCode: undefined },
    { state: 'Timed out', tone: 'bad' },
  ],
])('shows %o', (change, view) => {
  expect(commandView({ ...run, ...change }, Date.parse('2025-01-01T00:00:09Z'))).toMatchObject(
    view,
  );
});
