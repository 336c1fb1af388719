import { expect, it } from 'vitest';
import { type CheckedRun, delayAfterChecks } from './failure-delay.ts';

const hung = (run: string, change: Partial<CheckedRun> = {}): CheckedRun => ({
  run,
  reason: 'port-never-answered',
  isStartedHere: true,
  othersServe: false,
  ...change,
});

it.each<[string, CheckedRun[], ReturnType<typeof delayAfterChecks>]>([
  ['replaces instances that did not answer', [hung('a')], { unanswered: ['a'], step: undefined }],
  [
    'replaces instances that fail their health check',
    [hung('a', { reason: 'health-check-failed' }), hung('b')],
    { unanswered: ['a', 'b'], step: undefined },
  ],
  [
    'replaces one of an earlier server if others serve',
    [hung('a', { isStartedHere: false, othersServe: true })],
    { unanswered: ['a'], step: undefined },
  ],
  [
    'checks one of an earlier server again if nothing serves',
    [hung('a', { isStartedHere: false })],
    { unanswered: [], step: 'check' },
  ],
  [
    'checks again after a failure of the machine',
    [hung('a', { reason: 'engine-failed', othersServe: true }), hung('b')],
    { unanswered: ['b'], step: 'check' },
  ],
  [
    'delays nothing for an instance that exited: its exit is counted',
    [hung('a', { reason: 'app-exited' })],
    { unanswered: [], step: undefined },
  ],
])('%s', (_, checked, delay) => {
  expect(delayAfterChecks(checked)).toEqual(delay);
});
