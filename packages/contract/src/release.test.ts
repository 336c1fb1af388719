import { expect, it } from 'vitest';
import { decodeReleases, keptReleases } from './release.ts';

const row = {
  number: 7,
  made_of: { resourceTier: 't1', ports: [], container: { image: '' }, source: { enabled: true } },
  env_marks: { TOKEN: 3 },
  revision: 'c0ffee',
  from_release: 3,
  outcome: 'failed',
  message: 'The build job failed.',
  evidence: ['exit code 1'],
  started_at: '2025-01-01T00:00:00+00:00',
  ended_at: '2025-01-01T00:01:00+00:00',
};

it('reads a row of the history', () => {
  expect(decodeReleases([row])).toEqual([
    {
      number: 7,
      madeOf: row.made_of,
      envMarks: { TOKEN: 3 },
      revision: 'c0ffee',
      from: 3,
      outcome: 'failed',
      message: 'The build job failed.',
      evidence: ['exit code 1'],
      startedAt: row.started_at,
      endedAt: row.ended_at,
    },
  ]);
});

it('reads a row of a release that is under way', () => {
  const fresh = {
    revision: null,
    from_release: null,
    outcome: null,
    message: null,
    ended_at: null,
  };
  expect(decodeReleases([{ ...row, ...fresh }])[0]).toMatchObject({
    revision: undefined,
    from: undefined,
    outcome: undefined,
    message: '',
    endedAt: undefined,
  });
});

it.each([undefined, null, {}, [null], [{}], [{ ...row, number: '7' }], [{ ...row, made_of: {} }]])(
  'leaves out what is no release: %j',
  (rows) => {
    expect(decodeReleases(rows)).toEqual([]);
  },
);

it('keeps the newest five that served', () => {
  const outcomes = ['live', 'live', 'failed', 'live', undefined, 'live', 'live', 'live'] as const;
  const releases = outcomes.map((outcome, at) => ({ number: at + 1, outcome }));
  expect(keptReleases(releases).map(({ number }) => number)).toEqual([8, 7, 6, 4, 2]);
});
