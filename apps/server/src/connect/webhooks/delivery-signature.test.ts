import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Secret } from '../../secrets/secret.ts';
import { checkSignature, makeHookSecret } from './delivery-signature.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const BODY = Buffer.from('{"ref":"refs/heads/main"}');
const secret = makeHookSecret();
const other = makeHookSecret();

function hex(body: Buffer, by: Secret): string {
  return createHmac('sha256', by.reveal()).update(body).digest('hex');
}

function dated(body: Buffer, by: Secret, { id = 'msg_1', at = NOW } = {}): Record<string, string> {
  const seconds = String(at / 1000);
  const key = Buffer.from(by.reveal().replace('whsec_', ''), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1a,other v1,${signed}`,
  };
}

const SIGNED: [string, (body: Buffer, by: Secret) => Record<string, string>][] = [
  ['GitHub', (body, by) => ({ 'x-hub-signature-256': `sha256=${hex(body, by)}` })],
  ['Gitea', (body, by) => ({ 'x-gitea-signature': hex(body, by) })],
  ['Forgejo', (body, by) => ({ 'x-forgejo-signature': hex(body, by) })],
  ['Standard Webhooks', dated],
];

function check(headers: Record<string, string>, body = BODY) {
  return checkSignature({ headers: new Headers(headers), body }, secret, NOW);
}

describe.each(SIGNED)('a signature of %s', (_, sign) => {
  it('holds for the secret and the very body', () => {
    expect(check(sign(BODY, secret))?.mark).toMatch(/^(?:body|id) ./);
    expect(check(sign(BODY, other))).toBeUndefined();
    expect(check(sign(BODY, secret), Buffer.from('{"ref":"refs/heads/evil"}'))).toBeUndefined();
  });
});

it('takes the token of GitLab', () => {
  const token = { 'x-gitlab-token': secret.reveal() };
  expect(check({ ...token, 'idempotency-key': 'a' })?.mark).toBe('id a');
  expect(check({ ...token, 'x-gitlab-event-uuid': 'b' })?.mark).toBe('id b');
  expect(check(token)?.mark).toMatch(/^body /);
  expect(check({ 'x-gitlab-token': other.reveal() })).toBeUndefined();
});

it('knows a body again whatever name it is sent under', () => {
  const headers = { 'x-hub-signature-256': `sha256=${hex(BODY, secret)}` };
  const [one, again] = ['a', 'b'].map((id) => check({ ...headers, 'x-github-delivery': id }));
  expect(one).toEqual(again);
});

it.each([
  ['too old', NOW - 6 * 60_000],
  ['of the future', NOW + 6 * 60_000],
])('refuses what is signed and %s', (_, at) => {
  expect(check(dated(BODY, secret, { at }))).toBeUndefined();
});

it.each<[string, Record<string, string>]>([
  ['nothing', {}],
  ['an empty signature', { 'x-hub-signature-256': '' }],
  ['half a signature', { 'x-hub-signature-256': `sha256=${hex(BODY, secret).slice(0, 32)}` }],
  ['another algorithm', { 'x-hub-signature-256': `sha1=${hex(BODY, secret)}` }],
  ['the old header of GitHub', { 'x-hub-signature': `sha1=${hex(BODY, secret)}` }],
  [
    'a bad signature beside a good token',
    { 'x-hub-signature-256': 'sha256=00', 'x-gitlab-token': secret.reveal() },
  ],
  ['a signed time that is none', { ...dated(BODY, secret), 'webhook-timestamp': 'soon' }],
])('refuses %s', (_, headers) => {
  expect(check(headers)).toBeUndefined();
});
