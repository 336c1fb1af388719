import type { AppCounters } from '@longshore/edge-contract';
import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { AccessReport } from './access-log.ts';
import { type AccessLink, createAccessRelay } from './access-relay.ts';
import { noRequests } from './counters.ts';

const LIMITS = {
  linesPerApp: 4,
  lines: 6,
  appMinutes: 3,
  linesPerMessage: 2,
  countersPerMessage: 2,
};

function setUp(run = 'run-1') {
  const clock = createSimulatedClock();
  const reports: string[] = [];
  const relay = createAccessRelay({ run, clock, report: (text) => reports.push(text) }, LIMITS);
  return { clock, relay, reports, ...createServerLink() };
}

/** The server as the relay sees it. */
function createServerLink() {
  const sent: Parameters<AccessLink['send']>[0][] = [];
  const state = { isBusy: false };
  const link = {
    send: (message: (typeof sent)[0]) => sent.push(message),
    isBusy: () => state.isBusy,
  };
  const lines = () =>
    sent
      .flatMap((message) => (message.kind === 'access' ? message.lines : []))
      .map((it) => it.path);
  const omitted = () =>
    sent.flatMap((message) => (message.kind === 'access' ? Object.entries(message.omitted) : []));
  const batches = () =>
    sent.flatMap((message) =>
      message.kind === 'counters'
        ? [[message.run, message.batch, ...message.counters.map(summary)]]
        : [],
    );
  return { link, state, sent, lines, omitted, batches };
}

const summary = ({ appId, minute, statuses }: AppCounters) =>
  `${appId}${minute}:${statuses.reduce((sum, count) => sum + count)}`;

const line = (path: string, appId = 'a') => ({
  appId,
  at: 0,
  method: 'GET',
  host: 'h',
  path,
  status: 200,
  durationMs: 1,
  bytes: 1,
});

const counted = (minute: number, requests = 1, appId = 'a'): AppCounters => ({
  ...noRequests(appId, minute),
  statuses: [0, requests, 0, 0, 0],
});

const reportOf = (change: Partial<AccessReport>): AccessReport => ({
  lines: [],
  omitted: {},
  counters: [],
  ...change,
});

it('passes lines on at once, in small messages', () => {
  const { relay, link, sent, lines } = setUp();
  relay.connected(link);
  relay.receive(reportOf({ lines: ['/1', '/2', '/3'].map((path) => line(path)) }));
  expect(lines()).toEqual(['/1', '/2', '/3']);
  expect(sent).toHaveLength(2);
});

it('keeps a limited number of lines while the server is away, and says how many are missing', () => {
  const { relay, link, clock, lines, omitted } = setUp();
  relay.receive(reportOf({ lines: [1, 2, 3, 4, 5].map((n) => line(`/${n}`)), omitted: { a: 10 } }));
  relay.receive(reportOf({ lines: [6, 7, 8].map((n) => line(`/${n}`, 'b')) }));
  expect(clock.pending()).toBe(0);
  relay.connected(link);
  expect(lines()).toEqual(['/1', '/2', '/3', '/4', '/6', '/7']);
  expect(omitted()).toEqual([
    ['a', 11],
    ['b', 1],
  ]);
  relay.receive(reportOf({ lines: [line('/9')] }));
  expect(lines().at(-1)).toBe('/9');
});

it('reports omitted requests without a line', () => {
  const { relay, link, omitted } = setUp();
  relay.connected(link);
  relay.receive(reportOf({ omitted: { a: 3 } }));
  expect(omitted()).toEqual([['a', 3]]);
});

it('waits while the server does not read', async () => {
  const { relay, link, clock, state, sent, lines } = setUp();
  relay.connected(link);
  state.isBusy = true;
  relay.receive(reportOf({ lines: [line('/1')] }));
  relay.receive(reportOf({ lines: [line('/2')] }));
  await clock.advance(5_000);
  expect(sent).toEqual([]);
  state.isBusy = false;
  await clock.advance(1_000);
  expect(lines()).toEqual(['/1', '/2']);
  expect(clock.pending()).toBe(0);
});

it('sums the counters of all workers and sends them every five seconds', async () => {
  const { relay, link, clock, batches } = setUp();
  relay.connected(link);
  relay.receive(reportOf({ counters: [counted(1, 2), counted(1, 1, 'b')] }));
  relay.receive(reportOf({ counters: [counted(1, 3)] }));
  await clock.advance(4_999);
  expect(batches()).toEqual([]);
  await clock.advance(1);
  expect(batches()).toEqual([['run-1', 1, 'a1:5', 'b1:1']]);
  relay.stored('run-1', 1);
  expect(clock.pending()).toBe(0);
});

it('sends a batch again until the server has stored it, and only then the next', async () => {
  const { relay, link, clock, batches } = setUp();
  relay.connected(link);
  relay.receive(reportOf({ counters: [counted(1)] }));
  await clock.advance(5_000);
  relay.disconnected();
  relay.receive(reportOf({ counters: [counted(1, 7)] }));
  await clock.advance(60_000);
  relay.connected(link);
  await clock.advance(59_000);
  const first = ['run-1', 1, 'a1:1'];
  expect(batches()).toEqual([first, first]);
  relay.stored('run-0', 1);
  relay.stored('run-1', 2);
  relay.stored('run-1', 1);
  relay.stored('run-1', 1);
  await clock.advance(5_000);
  expect(batches()).toEqual([first, first, ['run-1', 2, 'a1:7']]);
});

it('sends a batch again if the confirmation is lost', async () => {
  const { relay, link, clock, batches } = setUp();
  relay.connected(link);
  relay.receive(reportOf({ counters: [counted(1)] }));
  await clock.advance(5_000);
  relay.receive(reportOf({ counters: [counted(1)] }));
  await clock.advance(60_000);
  expect(batches()).toEqual([
    ['run-1', 1, 'a1:1'],
    ['run-1', 1, 'a1:1'],
  ]);
});

it('sends the rest of many counters in the next batch', async () => {
  const { relay, link, clock, batches } = setUp();
  relay.receive(reportOf({ counters: [counted(1), counted(2), counted(3)] }));
  relay.connected(link);
  await clock.advance(5_000);
  relay.stored('run-1', 1);
  await clock.advance(5_000);
  expect(batches()).toEqual([
    ['run-1', 1, 'a1:1', 'a2:1'],
    ['run-1', 2, 'a3:1'],
  ]);
});

it('drops the oldest counters when there are too many, and reports it', async () => {
  const { relay, link, clock, batches, reports } = setUp();
  relay.receive(reportOf({ counters: [counted(1), counted(2), counted(3), counted(4)] }));
  relay.connected(link);
  await clock.advance(5_000);
  expect(batches()).toEqual([['run-1', 1, 'a2:1', 'a3:1']]);
  expect(reports).toEqual(['The counters of 1 minutes of apps were dropped: the server was away']);
});

it('hands everything over to its successor, with unconfirmed batches under their old numbers', async () => {
  const old = setUp('old');
  old.relay.connected(old.link);
  old.relay.receive(reportOf({ counters: [counted(1)] }));
  await old.clock.advance(5_000);
  old.relay.disconnected();
  old.relay.receive(reportOf({ lines: [line('/1')], omitted: { a: 2 }, counters: [counted(2)] }));
  const { relay, link, clock, lines, omitted, batches } = setUp('new');
  relay.connected(link);
  relay.takeOver(old.relay.handOver());
  expect(lines()).toEqual(['/1']);
  expect(omitted()).toEqual([['a', 2]]);
  relay.stored('old', 1);
  await clock.advance(5_000);
  expect(batches()).toEqual([
    ['old', 1, 'a1:1'],
    ['new', 1, 'a2:1'],
  ]);
  expect(old.relay.handOver()).toEqual({ ...reportOf({}), batches: [] });
});
