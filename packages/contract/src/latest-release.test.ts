import { expect, it } from 'vitest';
import { decodeLatestReleases } from './latest-release.ts';

const row = {
  app_id: 'a1',
  number: 7,
  outcome: 'failed',
  started_at: '2025-01-01T00:00:00Z',
  ended_at: '2025-01-01T00:01:00Z',
  app: { serving: { release: 6, logName: 'app-a1-6', hosts: ['a.example.com'] } },
};

it('decodes the newest release of an app and the one that serves', () => {
  expect(decodeLatestReleases([row])).toEqual([
    {
      appId: 'a1',
      number: 7,
      outcome: 'failed',
      startedAt: '2025-01-01T00:00:00Z',
      endedAt: '2025-01-01T00:01:00Z',
      serving: { release: 6, logName: 'app-a1-6', hosts: ['a.example.com'] },
    },
  ]);
  const running = { ...row, outcome: null, ended_at: null, app: null };
  expect(decodeLatestReleases([running])).toMatchObject([
    { outcome: undefined, endedAt: undefined, serving: undefined },
  ]);
});

it.each([undefined, null, {}, [null], [{}], [{ ...row, number: '7' }], [{ ...row, app_id: 1 }]])(
  'skips malformed rows: %j',
  (rows) => {
    expect(decodeLatestReleases(rows)).toEqual([]);
  },
);
