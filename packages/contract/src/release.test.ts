import { expect, it } from 'vitest';
import { decodeReleaseCause, decodeReleases, retainedReleases } from './release.ts';

const row = {
  number: 7,
  made_of: { resourceTier: 't1', ports: [], container: { image: '' }, source: { enabled: true } },
  env_marks: { TOKEN: 3 },
  revision: 'c0ffee',
  from_release: 3,
  outcome: 'failed',
  message: 'The build job failed.',
  evidence: ['exit code 1'],
  fixes: [{ kind: 'port', port: 8080 }],
  detected: { summary: 'Next.js' },
  phases: [
    { phase: 'queued', at: '2025-01-01T00:00:00+00:00' },
    { phase: 'sailing', at: '2025-01-01T00:00:01+00:00' },
    { phase: 'building', at: 'noon' },
    { phase: 'building' },
    null,
    { phase: 'building', at: '2025-01-01T00:00:02+00:00' },
  ],
  started_at: '2025-01-01T00:00:00+00:00',
  ended_at: '2025-01-01T00:01:00+00:00',
};

it('decodes a row', () => {
  expect(decodeReleases([row])).toEqual([
    {
      number: 7,
      values: row.made_of,
      envVersions: { TOKEN: 3 },
      revision: 'c0ffee',
      buildReusedFrom: 3,
      outcome: 'failed',
      message: 'The build job failed.',
      evidence: ['exit code 1'],
      fixes: [{ kind: 'port', port: 8080 }],
      detected: { summary: 'Next.js' },
      phases: [
        { phase: 'queued', at: '2025-01-01T00:00:00+00:00' },
        { phase: 'building', at: '2025-01-01T00:00:02+00:00' },
      ],
      startedAt: row.started_at,
      endedAt: row.ended_at,
    },
  ]);
});

it('decodes a row of a release in progress', () => {
  const inProgress = {
    revision: null,
    from_release: null,
    outcome: null,
    message: null,
    phases: null,
    ended_at: null,
  };
  expect(decodeReleases([{ ...row, ...inProgress }])[0]).toMatchObject({
    revision: undefined,
    buildReusedFrom: undefined,
    outcome: undefined,
    message: '',
    phases: [],
    endedAt: undefined,
  });
});

it.each([undefined, null, {}, [null], [{}], [{ ...row, number: '7' }], [{ ...row, made_of: {} }]])(
  'skips malformed rows: %j',
  (rows) => {
    expect(decodeReleases(rows)).toEqual([]);
  },
);

it('retains the newest five that went live', () => {
  const outcomes = ['live', 'live', 'failed', 'live', undefined, 'live', 'live', 'live'] as const;
  const releases = outcomes.map((outcome, index) => ({ number: index + 1, outcome }));
  expect(retainedReleases(releases).map(({ number }) => number)).toEqual([8, 7, 6, 4, 2]);
});

it.each<[unknown, unknown]>([
  [{ kind: 'edit' }, { kind: 'edit' }],
  [
    { kind: 'edit', userId: 'u1', name: 'Ada' },
    { kind: 'edit', actor: { userId: 'u1', name: 'Ada' } },
  ],
  [
    { kind: 'edit', userId: 'u1', token: 'ci' },
    { kind: 'edit', actor: { userId: 'u1', name: '', token: 'ci' } },
  ],
  [
    { kind: 'rollback', to: 3, userId: 'u1', name: 'Ada' },
    { kind: 'rollback', to: 3, actor: { userId: 'u1', name: 'Ada' } },
  ],
  [
    { kind: 'push', ref: 'main', commit: 'c0ffee', by: 'Ada' },
    { kind: 'push', ref: 'main', commit: 'c0ffee', by: 'Ada', subject: '' },
  ],
  [{ kind: 'deploy-hook' }, { kind: 'deploy-hook' }],
  [{ kind: 'other' }, undefined],
  [null, undefined],
  ['edit', undefined],
])('decodes the cause %j', (stored, cause) => {
  expect(decodeReleaseCause(stored)).toEqual(cause);
});
