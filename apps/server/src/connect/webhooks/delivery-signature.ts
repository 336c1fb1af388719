import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Secret } from '../../secrets/secret.ts';

/** What tells a delivery that holds from every other, for as long as it is remembered. */
export type Proof = { mark: string };

export type SignedRequest = { headers: Headers; body: Buffer };

type Scheme = {
  header: string;
  /** Undefined: it was not made with this secret. */
  check(
    request: SignedRequest & { signature: string },
    secret: Secret,
    now: number,
  ): Proof | undefined;
};

/** Standard Webhooks: so old may a signed time be. */
const MAX_AGE_MS = 5 * 60_000;
const KEY_PREFIX = 'whsec_';
const MAX_ID_LENGTH = 200;

/** Good as a text for the ones, and as a key for the others. */
export function makeHookSecret(): Secret {
  return new Secret(`${KEY_PREFIX}${randomBytes(32).toString('base64')}`);
}

/** In this order: GitLab sends its token beside a signature, and Gitea those of others beside its own. */
const SCHEMES: Scheme[] = [
  { header: 'webhook-signature', check: checkDatedSignature },
  {
    header: 'x-hub-signature-256',
    check: (request, secret) => checkBody(request, secret, 'sha256='),
  },
  { header: 'x-forgejo-signature', check: (request, secret) => checkBody(request, secret, '') },
  { header: 'x-gitea-signature', check: (request, secret) => checkBody(request, secret, '') },
  { header: 'x-gitlab-token', check: checkToken },
];

/** By the first way of proof that is there: a bad one is not made good by another. */
export function checkSignature(
  request: SignedRequest,
  secret: Secret,
  now: number,
): Proof | undefined {
  const scheme = SCHEMES.find(({ header }) => request.headers.has(header));
  const signature = scheme === undefined ? '' : (request.headers.get(scheme.header) ?? '');
  return scheme?.check({ ...request, signature }, secret, now);
}

/** It says nothing of when, so a body is good once: nobody can send again what somebody overheard. */
function checkBody(
  { body, signature }: SignedRequest & { signature: string },
  secret: Secret,
  prefix: string,
): Proof | undefined {
  const expected = createHmac('sha256', secret.reveal()).update(body).digest('hex');
  if (!new Secret(`${prefix}${expected}`).equals(signature)) return undefined;
  return { mark: bodyMark(body) };
}

/** Whoever overheard the token could make up new deliveries; the same push may well happen twice. */
function checkToken(
  { headers, body, signature }: SignedRequest & { signature: string },
  secret: Secret,
): Proof | undefined {
  if (!secret.equals(signature)) return undefined;
  const id = headers.get('idempotency-key') ?? headers.get('x-gitlab-event-uuid');
  return { mark: id ? idMark(id) : bodyMark(body) };
}

/** Standard Webhooks, which GitLab speaks where it is given a signing token. */
function checkDatedSignature(
  { headers, body, signature }: SignedRequest & { signature: string },
  secret: Secret,
  now: number,
): Proof | undefined {
  const id = headers.get('webhook-id') ?? '';
  const seconds = headers.get('webhook-timestamp') ?? '';
  const isNow = Math.abs(now - Number(seconds) * 1000) <= MAX_AGE_MS;
  const key = Buffer.from(secret.reveal().replace(KEY_PREFIX, ''), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body);
  const expected = new Secret(`v1,${signed.digest('base64')}`);
  const isSigned = signature.split(' ').some((one) => expected.equals(one));
  return isNow && isSigned ? { mark: idMark(id) } : undefined;
}

function bodyMark(body: Buffer): string {
  return `body ${createHash('sha256').update(body).digest('hex')}`;
}

function idMark(id: string): string {
  return `id ${id.slice(0, MAX_ID_LENGTH)}`;
}
