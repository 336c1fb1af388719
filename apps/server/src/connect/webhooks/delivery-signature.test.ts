import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Secret } from '../../secrets/secret.ts';
import { checkSignature, generateHookSecret } from './delivery-signature.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const BODY = Buffer.from('{"ref":"refs/heads/main"}');
const secret = generateHookSecret();
const otherSecret = generateHookSecret();

function hexSignature(body: Buffer, key: Secret): string {
  return createHmac('sha256', key.reveal()).update(body).digest('hex');
}

function standardWebhook(
  body: Buffer,
  secret: Secret,
  { id = 'msg_1', at = NOW } = {},
): Record<string, string> {
  const seconds = String(at / 1000);
  const key = Buffer.from(secret.reveal().replace('whsec_', ''), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1a,other v1,${signed}`,
  };
}

const SIGNED: [string, (body: Buffer, key: Secret) => Record<string, string>][] = [
  ['GitHub', (body, key) => ({ 'x-hub-signature-256': `sha256=${hexSignature(body, key)}` })],
  ['Gitea', (body, key) => ({ 'x-gitea-signature': hexSignature(body, key) })],
  ['Forgejo', (body, key) => ({ 'x-forgejo-signature': hexSignature(body, key) })],
  ['Standard Webhooks', standardWebhook],
];

function check(headers: Record<string, string>, body = BODY) {
  return checkSignature({ headers: new Headers(headers), body }, secret, NOW);
}

describe.each(SIGNED)('a signature by %s', (_, sign) => {
  it('is valid only for its secret and body', () => {
    expect(check(sign(BODY, secret))?.deduplicationKey).toMatch(/^(?:body|id) ./);
    expect(check(sign(BODY, otherSecret))).toBeUndefined();
    expect(check(sign(BODY, secret), Buffer.from('{"ref":"refs/heads/evil"}'))).toBeUndefined();
  });
});

it('accepts the token of GitLab', () => {
  const token = { 'x-gitlab-token': secret.reveal() };
  expect(check({ ...token, 'idempotency-key': 'a' })?.deduplicationKey).toBe('id a');
  expect(check({ ...token, 'x-gitlab-event-uuid': 'b' })?.deduplicationKey).toBe('id b');
  expect(check(token)?.deduplicationKey).toMatch(/^body /);
  expect(check({ 'x-gitlab-token': otherSecret.reveal() })).toBeUndefined();
});

it('recognises a repeated body under another delivery id', () => {
  const headers = { 'x-hub-signature-256': `sha256=${hexSignature(BODY, secret)}` };
  const [first, second] = ['a', 'b'].map((id) => check({ ...headers, 'x-github-delivery': id }));
  expect(first).toEqual(second);
});

it.each([
  ['too old', NOW - 6 * 60_000],
  ['from the future', NOW + 6 * 60_000],
])('rejects a signature that is %s', (_, at) => {
  expect(check(standardWebhook(BODY, secret, { at }))).toBeUndefined();
});

it.each<[string, Record<string, string>]>([
  ['no signature', {}],
  ['an empty signature', { 'x-hub-signature-256': '' }],
  [
    'a truncated signature',
    { 'x-hub-signature-256': `sha256=${hexSignature(BODY, secret).slice(0, 32)}` },
  ],
  ['another algorithm', { 'x-hub-signature-256': `sha1=${hexSignature(BODY, secret)}` }],
  ['the old header of GitHub', { 'x-hub-signature': `sha1=${hexSignature(BODY, secret)}` }],
  [
    'an invalid signature besides a valid token',
    { 'x-hub-signature-256': 'sha256=00', 'x-gitlab-token': secret.reveal() },
  ],
  ['an invalid timestamp', { ...standardWebhook(BODY, secret), 'webhook-timestamp': 'soon' }],
])('rejects %s', (_, headers) => {
  expect(check(headers)).toBeUndefined();
});
