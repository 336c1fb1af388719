import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { isKeptAwake, processViews } from './process-view.ts';

const detected = { startCommand: 'node server.js', processes: { worker: 'node worker.js' } };
const serving = {
  release: 1,
  logName: 'app-1-1',
  hosts: [],
  processes: [{ name: 'worker', replicas: 2, resourceTier: 't1', logNames: ['app-1-worker.2'] }],
};
const values = { ...buildAppValues(), processes: { worker: { replicas: 2 } } };

it('lists nothing for an app with only web', () => {
  expect(processViews(buildAppValues(), {}, serving)).toEqual([]);
});

it('lists web and the others with their command, size and state', () => {
  expect(processViews(values, detected, serving)).toEqual([
    { name: 'web', command: 'node server.js', tier: 't1', state: '1 of 1 running', tone: 'ok' },
    {
      name: 'worker',
      command: 'node worker.js',
      tier: 't1',
      state: '1 of 2 running',
      tone: 'busy',
    },
  ]);
});

it.each([
  ['hibernated', { instances: 0 }, ['Hibernated', 'Hibernated']],
  ['turned off', { processes: { worker: { replicas: 0 } } }, ['1 of 1 running', 'Off']],
])('shows what is %s', (_, change, states) => {
  const views = processViews({ ...values, ...change }, detected, serving);
  expect(views.map(({ state }) => state)).toEqual(states);
});

it('knows which apps do not sleep because of their other processes', () => {
  const asleep = { ...values, sleep: { afterMinutes: 30 } };
  expect(isKeptAwake(asleep, detected)).toBe(true);
  expect(isKeptAwake(asleep, {})).toBe(false);
  expect(isKeptAwake({ ...asleep, processes: { worker: { replicas: 0 } } }, detected)).toBe(false);
  expect(isKeptAwake(values, detected)).toBe(false);
});
