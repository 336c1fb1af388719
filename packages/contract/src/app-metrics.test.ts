import { expect, it } from 'vitest';
import { decodeAppMetrics } from './app-metrics.ts';

const USAGE = {
  at: '2026-01-31T12:01:00.000000+00:00',
  instance: '3',
  covered_ms: 60_000,
  cpu_ms: 1_200,
  memory_bytes: 5_000,
  received_bytes: '7',
  sent_bytes: null,
};
const TRAFFIC = { at: '2026-01-31T12:00:00.000000+00:00', statuses: [0, 5], latencies: [1, '4'] };
const NOON = Date.parse('2026-01-31T12:00:00Z');

it('decodes rows in the order of time', () => {
  const earlier = { ...USAGE, at: '2026-01-31T12:00:00+00:00', instance: '2' };
  expect(decodeAppMetrics({ usage: [USAGE, earlier], traffic: [TRAFFIC] })).toEqual({
    usage: [
      expect.objectContaining({ at: NOON, instance: '2' }),
      {
        at: NOON + 60_000,
        instance: '3',
        coveredMs: 60_000,
        cpuMs: 1_200,
        memoryBytes: 5_000,
        receivedBytes: 7,
        sentBytes: null,
        diskBytes: null,
      },
    ],
    traffic: [{ at: NOON, statuses: [0, 5], latencies: [1, 4] }],
  });
});

it.each([
  undefined,
  null,
  'text',
  {},
  { usage: 'x', traffic: 5 },
  {
    usage: [null, {}, { at: 'never', instance: '1' }, { at: USAGE.at }],
    traffic: [{ at: USAGE.at }],
  },
])('skips what is malformed in %j', (data) => {
  expect(decodeAppMetrics(data)).toEqual({ usage: [], traffic: [] });
});
