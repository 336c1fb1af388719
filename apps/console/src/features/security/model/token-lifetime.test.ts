import { describe, expect, it } from 'vitest';
import { expiryAfter, isExpired, tokenName } from './token-lifetime.ts';

const now = Date.parse('2025-06-01T12:00:00Z');
const token = (fields: { metadata?: unknown; expiresAt?: string }) => ({
  id: 't1',
  createdAt: '2025-01-01T00:00:00Z',
  lastUsedAt: null,
  expiresAt: '2025-06-01T12:00:00Z',
  metadata: null,
  ...fields,
});

describe('a personal access token', () => {
  it.each([
    ['7', '2025-06-08T12:00:00.000Z'],
    ['365', '2026-06-01T12:00:00.000Z'],
  ] as const)('for %s days expires at %s', (lifetime, end) => {
    expect(expiryAfter(lifetime, now).toISOString()).toBe(end);
  });

  it.each([
    ['2025-06-01T12:00:00Z', true],
    ['2025-06-01T12:00:01Z', false],
  ])('that expires at %s is expired: %s', (expiresAt, expired) => {
    expect(isExpired(token({ expiresAt }), now)).toBe(expired);
  });

  it.each([
    [{ name: 'Backup' }, 'Backup'],
    [{ name: '' }, 'Token'],
    [{ name: 7 }, 'Token'],
    [null, 'Token'],
  ])('with the metadata %j is named %s', (metadata, name) => {
    expect(tokenName(token({ metadata }))).toBe(name);
  });
});
