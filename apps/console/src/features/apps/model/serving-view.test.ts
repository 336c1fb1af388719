import { expect, it } from 'vitest';
import { aConfig, anApp, aRelease } from '../../../../test/resources.ts';
import { servingView } from './serving-view.ts';

const { ingress } = aConfig();
const serving = {
  release: 6,
  logName: 'app-3f2a91-9',
  hosts: ['old.example.com', 'shop.localhost'],
};
const live = aRelease({ number: 6 });
const failed = aRelease({ number: 7, outcome: 'failed' });
const unfinished = aRelease({ number: 7, outcome: undefined });
const cancelled = aRelease({ number: 8, outcome: 'cancelled' });

function textOf(status: string, ...history: Parameters<typeof servingView>[2]) {
  const view = servingView(anApp({ status }), serving, history, ingress);
  return view && [view.text, view.newer?.text, view.newer?.isBad];
}

it.each([
  ['the releases are not loaded', textOf('syncing'), ['Serving release 6', undefined, undefined]],
  [
    'a newer one is built',
    textOf('syncing', unfinished, live),
    ['Serving release 6', 'deploying release 7', false],
  ],
  [
    'a newer one has failed',
    textOf('backoff', failed, live),
    ['Serving release 6', 'release 7 failed', true],
  ],
  [
    'a newer one is retried',
    textOf('backoff', unfinished, live),
    ['Serving release 6', 'retrying release 7', true],
  ],
  [
    'the one after the failed one was cancelled',
    textOf('backoff', cancelled, failed, live),
    ['Serving release 6', 'release 7 failed', true],
  ],
  ['it is the newest one', textOf('syncing', live), ['Serving release 6', undefined, undefined]],
  ['the app is synced', textOf('synced', live), undefined],
])('beside the badge, when %s', (_, text, expected) => {
  expect(text).toEqual(expected);
});

it('has the URLs that the server routes, not those of the edited values', () => {
  const app = anApp({ status: 'syncing', name: 'renamed' });
  expect(servingView(app, serving, [], ingress)?.urls).toEqual([
    'http://old.example.com:8080',
    'http://shop.localhost:8080',
  ]);
});

it.each([
  ['no release serves', anApp({ status: 'backoff' }), undefined],
  ['the app is hibernated', anApp({ status: 'syncing', instances: 0 }), serving],
  ['the public access card is shown', anApp({ status: 'synced' }), serving],
])('is not shown when %s', (_, app, observed) => {
  expect(servingView(app, observed, [live], ingress)).toBeUndefined();
});
