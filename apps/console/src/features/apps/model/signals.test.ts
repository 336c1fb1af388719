import { expect, it } from 'vitest';
import { anApp, aRelease } from '../../../../test/resources.ts';
import { deploymentSignal, healthSignal } from './signals.ts';

const NOTHING = { serving: undefined, retry: undefined };
const serving = { release: 6, logName: 'app-3f2a91-9', hosts: [] };
const live = aRelease({ number: 6 });
const failed = aRelease({ number: 7, outcome: 'failed' });
const restart = { kind: 'restart', at: '2025-01-01T00:00:00Z' } as const;
const upload = { enabled: true, url: 'upload:', ref: 'main', secretName: '' };
const waiting = anApp({ instances: 0, source: upload });

it.each([
  ['it serves its newest release', anApp(), { serving }, [live], 'Serving', 'ok'],
  [
    'a newer release failed',
    anApp({ status: 'backoff' }),
    { serving },
    [failed, live],
    'Serving release 6',
    'ok',
  ],
  [
    'a newer release is deployed',
    anApp({ status: 'syncing' }),
    { serving },
    [live],
    'Serving release 6',
    'ok',
  ],
  ['the backend does not say which release serves', anApp(), {}, [], 'Serving', 'ok'],
  ['it waits for an upload', waiting, {}, [], 'Not running yet', 'idle'],
  ['it is hibernated', anApp({ instances: 0 }), { serving }, [live], 'Hibernated', 'idle'],
  [
    'it passes its health check',
    anApp(),
    { serving: { ...serving, health: { check: 'GET /up' } } },
    [live],
    'Serving',
    'ok',
  ],
  [
    'it fails its health check',
    anApp(),
    { serving: { ...serving, health: { check: 'GET /up', problem: 'GET /up: status 500' } } },
    [live],
    'Unhealthy',
    'bad',
  ],
  [
    'it keeps crashing',
    anApp({ status: 'backoff' }),
    { retry: restart },
    [live],
    'Crash loop',
    'bad',
  ],
  ['it failed', anApp({ status: 'backoff' }), {}, [failed], 'Not serving', 'bad'],
  ['its first release is built', anApp({ status: 'syncing' }), {}, [], 'Not running yet', 'idle'],
  ['it wakes', anApp({ status: 'syncing' }), {}, [live], 'Starting', 'busy'],
] as const)('says of the health, when %s', (_, app, observed, history, verdict, tone) => {
  const signal = healthSignal(app, { ...NOTHING, ...observed }, [...history]);
  expect([signal.verdict, signal.tone]).toEqual([verdict, tone]);
});

it.each([
  ['there is none', anApp(), undefined, 'None yet', 'idle'],
  ['it is live', anApp(), live, 'Release 6 is live', 'ok'],
  ['it failed, although the app serves', anApp(), failed, 'Release 7 failed', 'bad'],
  [
    'it was cancelled',
    anApp(),
    aRelease({ number: 8, outcome: 'cancelled' }),
    'Release 8 was cancelled',
    'idle',
  ],
  [
    'it runs',
    anApp({ status: 'syncing' }),
    aRelease({ number: 8, outcome: undefined, endedAt: undefined }),
    'Deploying release 8',
    'busy',
  ],
  [
    'it is retried',
    anApp({ status: 'backoff' }),
    aRelease({ number: 8, outcome: undefined, endedAt: undefined }),
    'Retrying release 8',
    'bad',
  ],
  [
    'it waits for the app to wake',
    anApp({ instances: 0 }),
    aRelease({ number: 8, outcome: undefined, endedAt: undefined }),
    'Release 8 is paused',
    'idle',
  ],
] as const)('says of the last deployment, when %s', (_, app, newest, verdict, tone) => {
  const signal = deploymentSignal(app, newest);
  expect([signal.verdict, signal.tone]).toEqual([verdict, tone]);
});

it('says in which phase a deployment failed, and how long it took', () => {
  const phases = [{ phase: 'checking' as const, at: '2025-01-01T00:00:10Z' }];
  expect(deploymentSignal(anApp(), { ...failed, phases }).fact).toBe('At Checking, after 42 s');
  expect(deploymentSignal(anApp(), failed).fact).toBe('After 42 s');
  expect(deploymentSignal(anApp(), live).fact).toBe('Deployed in 42 s');
});
