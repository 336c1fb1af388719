import { describe, expect, it } from 'vitest';
import type { CertificateRecord, Step, WantedCertificate } from './certificate-rules.ts';
import {
  type CertificateState,
  certificateStatus,
  certificateWarnings,
} from './certificate-status.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);
const iso = (time: number) => new Date(time).toISOString();

function state(
  record: Partial<CertificateRecord> = {},
  { step = { kind: 'order' }, ...wanted }: Partial<WantedCertificate> & { step?: Step } = {},
): CertificateState {
  const domain = wanted.domain ?? 'shop.example.com';
  return {
    wanted: {
      domain,
      kind: 'custom',
      ownerId: 'ada',
      refusal: undefined,
      isAwake: true,
      ...wanted,
    },
    record: {
      domain,
      validity: undefined,
      order: undefined,
      attempts: 0,
      nextTryAt: undefined,
      failure: undefined,
      arrivedAt: undefined,
      ...record,
    },
    step,
  };
}

const lasting = (days: number, renewsInDays: number) => ({
  from: NOW - 60 * DAY,
  until: NOW + days * DAY,
  renewAt: NOW + renewsInDays * DAY,
});
const failure = { code: 'caa', detail: 'forbidden' } as const;
const failed = { failure, attempts: 1, nextTryAt: NOW + DAY };

it.each<[string, CertificateState | undefined, object]>([
  ['not looked at yet', undefined, { state: 'pending', failure: undefined }],
  ['new', state(), { state: 'pending' }],
  [
    'valid',
    state({ validity: lasting(30, 5) }),
    { state: 'valid', validUntil: iso(NOW + 30 * DAY), renewsAt: iso(NOW + 5 * DAY) },
  ],
  [
    'valid, but not renewed',
    state({ validity: lasting(20, -5), ...failed }),
    { state: 'valid', failure, nextTryAt: iso(NOW + DAY) },
  ],
  ['failed', state(failed), { state: 'failed', failure, nextTryAt: iso(NOW + DAY) }],
  ['expired', state({ validity: lasting(-1, -30), ...failed }), { state: 'failed' }],
  [
    'over the limit',
    state({}, { step: { kind: 'limited', limit: 'owner', until: NOW + DAY } }),
    { state: 'limited', nextTryAt: iso(NOW + DAY) },
  ],
  ['one of too many', state({}, { refusal: 'too-many' }), { state: 'too-many' }],
])('shows a certificate that is %s', (_, known, status) => {
  expect(certificateStatus(known, NOW)).toMatchObject(status);
});

describe('certificateWarnings', () => {
  it('lists what failed or expires soon, the most urgent first', () => {
    const states = [
      state({ validity: lasting(3, -27) }, { domain: 'late.example.com' }),
      state({ validity: lasting(2, 1) }, { domain: 'short-lived.example.com' }),
      state({ validity: lasting(30, 5) }, { domain: 'fine.example.com' }),
      state({ validity: lasting(20, -5), ...failed }, { domain: 'not-renewed.example.com' }),
      state(failed, { domain: 'none.example.com' }),
      state({}, { domain: 'new.example.com' }),
    ];
    const file = { names: ['*.apps.example.com'], until: NOW + 6 * DAY };
    expect(certificateWarnings(states, file, NOW).map(({ domain }) => domain)).toEqual([
      'none.example.com',
      'late.example.com',
      '*.apps.example.com',
      'not-renewed.example.com',
    ]);
    expect(certificateWarnings([], { ...file, until: NOW + 8 * DAY }, NOW)).toEqual([]);
  });
});
