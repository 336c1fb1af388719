import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { EndedRequest } from '../proxy/request-facts.ts';
import { type AccessReport, createAccessLog } from './access-log.ts';

const LIMITS = { intervalMs: 1_000, linesPerApp: 3, lines: 5 };

function setUp() {
  const clock = createSimulatedClock(60_000);
  const reports: AccessReport[] = [];
  const elapsed = { now: () => 1_000 };
  const log = createAccessLog({ clock, elapsed, send: (report) => reports.push(report) }, LIMITS);
  const record = (appId: string | undefined, count = 1, change: Partial<EndedRequest> = {}) => {
    for (let index = 0; index < count; index += 1) {
      log.record({ ...REQUEST, appId, path: `/${index}`, ...change });
    }
  };
  return { clock, reports, log, record };
}

const REQUEST: EndedRequest = {
  appId: 'a',
  method: 'GET',
  host: 'h',
  path: '/',
  status: 200,
  startedAt: 993,
  bytesIn: 3,
  bytesOut: 5,
};

const requests = ({ counters }: AccessReport) =>
  counters.map(({ appId, minute, statuses }) => [appId, minute, statuses.reduce((a, b) => a + b)]);

it('reports once a second, and holds no timer without requests', async () => {
  const { clock, reports, record } = setUp();
  expect(clock.pending()).toBe(0);
  record('a', 2);
  await clock.advance(999);
  expect(reports).toEqual([]);
  await clock.advance(1);
  expect(reports).toHaveLength(1);
  expect(reports[0]?.lines.map(({ path }) => path)).toEqual(['/0', '/1']);
  expect(clock.pending()).toBe(0);
});

it('counts every request, also those without a line', async () => {
  const { clock, reports, record } = setUp();
  record('a', 10);
  record('b', 4);
  await clock.advance(1_000);
  expect(reports.map(({ lines }) => lines.map(({ appId }) => appId).join(''))).toEqual(['aaabb']);
  expect(reports[0]?.omitted).toEqual({ a: 7, b: 2 });
  expect(reports.map(requests)).toEqual([
    [
      ['a', 1, 10],
      ['b', 1, 4],
    ],
  ]);
});

it('logs again in the next second', async () => {
  const { clock, reports, record } = setUp();
  record('a', 4);
  await clock.advance(1_000);
  record('a', 2);
  await clock.advance(1_000);
  expect(reports[1]).toMatchObject({ lines: [{ path: '/0' }, { path: '/1' }], omitted: {} });
});

it('counts per minute', async () => {
  const { clock, reports, record } = setUp();
  await clock.advance(59_500);
  record('a', 2);
  record('b');
  await clock.advance(500);
  record('a');
  await clock.advance(500);
  expect(reports.flatMap(requests)).toEqual([
    ['a', 1, 2],
    ['a', 2, 1],
    ['b', 1, 1],
  ]);
});

it('has the duration of a request in its line and in the counters', async () => {
  const { clock, reports, record } = setUp();
  record('a');
  await clock.advance(1_000);
  expect(reports[0]?.lines[0]?.durationMs).toBe(7);
  expect(reports[0]?.counters[0]?.latencies.indexOf(1)).toBe(1);
});

it.each([undefined, 'console'])('ignores requests that are not for an app: %s', (appId) => {
  const { clock, record } = setUp();
  record(appId);
  expect(clock.pending()).toBe(0);
});

it('reports at once when asked to', () => {
  const { clock, reports, log, record } = setUp();
  log.flush();
  expect(reports).toEqual([]);
  record('a');
  log.flush();
  expect(reports).toHaveLength(1);
  expect(clock.pending()).toBe(0);
});
