import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Secret } from '../../secrets/secret.ts';

/** A valid signature. Deliveries with the same key are duplicates. */
export type ValidSignature = { deduplicationKey: string };

export type SignedRequest = { headers: Headers; body: Buffer };

type SignatureScheme = {
  header: string;
  /** Undefined if the signature was not made with this secret. */
  check(
    request: SignedRequest & { signature: string },
    secret: Secret,
    now: number,
  ): ValidSignature | undefined;
};

/** Tolerance for the signed timestamp, as recommended by Standard Webhooks. */
const MAX_AGE_MS = 5 * 60_000;
const KEY_PREFIX = 'whsec_';
const MAX_ID_LENGTH = 200;

/** Used as plain text by GitHub, Gitea and GitLab tokens, and as a base64 key by Standard Webhooks. */
export function generateHookSecret(): Secret {
  return new Secret(`${KEY_PREFIX}${randomBytes(32).toString('base64')}`);
}

/** The order matters: GitLab sends its token besides a signature, and Gitea sends signatures in several formats. */
const SCHEMES: SignatureScheme[] = [
  { header: 'webhook-signature', check: checkStandardWebhook },
  {
    header: 'x-hub-signature-256',
    check: (request, secret) => checkBodySignature(request, secret, 'sha256='),
  },
  {
    header: 'x-forgejo-signature',
    check: (request, secret) => checkBodySignature(request, secret, ''),
  },
  {
    header: 'x-gitea-signature',
    check: (request, secret) => checkBodySignature(request, secret, ''),
  },
  { header: 'x-gitlab-token', check: checkToken },
];

/** Checks only the first signature header. If it is invalid, the others are not tried. */
export function checkSignature(
  request: SignedRequest,
  secret: Secret,
  now: number,
): ValidSignature | undefined {
  const scheme = SCHEMES.find(({ header }) => request.headers.has(header));
  const signature = scheme === undefined ? '' : (request.headers.get(scheme.header) ?? '');
  return scheme?.check({ ...request, signature }, secret, now);
}

/** The signature has no timestamp, so each body is accepted once: a captured delivery cannot be replayed. */
function checkBodySignature(
  { body, signature }: SignedRequest & { signature: string },
  secret: Secret,
  prefix: string,
): ValidSignature | undefined {
  const expected = createHmac('sha256', secret.reveal()).update(body).digest('hex');
  if (!new Secret(`${prefix}${expected}`).equals(signature)) return undefined;
  return { deduplicationKey: bodyKey(body) };
}

/** The token does not sign the body, so the delivery's id is the key: the same body can be sent by two pushes. */
function checkToken(
  { headers, body, signature }: SignedRequest & { signature: string },
  secret: Secret,
): ValidSignature | undefined {
  if (!secret.equals(signature)) return undefined;
  const id = headers.get('idempotency-key') ?? headers.get('x-gitlab-event-uuid');
  return { deduplicationKey: id ? idKey(id) : bodyKey(body) };
}

/** Standard Webhooks, which GitLab uses when it has a signing token. */
function checkStandardWebhook(
  { headers, body, signature }: SignedRequest & { signature: string },
  secret: Secret,
  now: number,
): ValidSignature | undefined {
  const id = headers.get('webhook-id') ?? '';
  const seconds = headers.get('webhook-timestamp') ?? '';
  const isRecent = Math.abs(now - Number(seconds) * 1000) <= MAX_AGE_MS;
  const key = Buffer.from(secret.reveal().replace(KEY_PREFIX, ''), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body);
  const expected = new Secret(`v1,${signed.digest('base64')}`);
  const isSigned = signature.split(' ').some((one) => expected.equals(one));
  return isRecent && isSigned ? { deduplicationKey: idKey(id) } : undefined;
}

function bodyKey(body: Buffer): string {
  return `body ${createHash('sha256').update(body).digest('hex')}`;
}

function idKey(id: string): string {
  return `id ${id.slice(0, MAX_ID_LENGTH)}`;
}
