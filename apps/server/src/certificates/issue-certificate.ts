import { createPrivateKey } from 'node:crypto';
import type { CertificateFailure } from '@longshore/contract';
import type { Clock } from '@longshore/edge-contract';
import { pause } from '../concurrency/pause.ts';
import type { Secret } from '../secrets/secret.ts';
import type { AcmeClient, AcmeOrder, HttpAuthorization } from './acme/acme-client.ts';
import { AcmeProblem } from './acme/acme-problem.ts';
import { certificateRequest } from './acme/certificate-request.ts';
import type { Challenge } from './arrival.ts';
import { parseChain } from './certificate-chain.ts';
import type { CertificateRecord, WantedCertificate } from './certificate-rules.ts';
import { renewalTime } from './certificate-rules.ts';
import type { CertificateStore } from './certificate-store.ts';
import { newPrivateKey } from './private-keys.ts';

export type IssueDeps = {
  client: AcmeClient;
  store: CertificateStore;
  /** Serves the challenge, and waits until it is seen at the domain. */
  present(domain: string, challenge: Challenge, signal: AbortSignal): Promise<void>;
  withdraw(challenge: Challenge): void;
  clock: Clock;
  random(): number;
};

/** Why there is no certificate, in a form that can be stored and shown. */
export class IssueFailure extends Error {
  override readonly name = 'IssueFailure';
  readonly failure: CertificateFailure;
  readonly retryAfterMs: number | undefined;

  constructor(failure: CertificateFailure, options: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(`${failure.code}: ${failure.detail}`, options);
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs;
  }
}

const MIN_POLL_MS = 1_000;
const MAX_POLL_MS = 30_000;

/** Problems after which the order can be continued as it is. */
const TEMPORARY = new Set(['unreachable', 'serverInternal', 'rateLimited', 'badNonce']);

/**
 * Makes an order, or continues the one that was begun, until there is a certificate. Returns false if the limits allow no order.
 * Throws an `IssueFailure`, or the reason of the signal. The order stays open where continuing makes sense.
 */
export async function issueCertificate(
  wanted: WantedCertificate,
  { order, isRenewal }: { order: CertificateRecord['order']; isRenewal: boolean },
  deps: IssueDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, clock, random } = deps;
  const { domain } = wanted;
  const known = order === undefined ? undefined : await store.orderKey(domain);
  const key = known ?? newPrivateKey();
  if (known === undefined) {
    const isOpened = await store.openOrder(wanted, { key, isRenewal, at: clock.now() });
    if (!isOpened) return false;
  }
  const url = known === undefined ? undefined : order?.url;
  try {
    const completed = await complete(domain, { key, url }, deps, signal);
    const text = await deps.client.certificate(completed.certificate ?? '', signal);
    const now = clock.now();
    const { chain, ...validity } = issuedChain(text, { domain, key, now });
    const renewAt = renewalTime(validity, { now, random: random() });
    await store.saveIssued(domain, { chain, key, validity: { ...validity, renewAt } });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof IssueFailure) throw error;
    if (!(error instanceof AcmeProblem)) throw error;
    const hasUrl = (await store.record(domain))?.order?.url !== undefined;
    const isRefused = !hasUrl && error.type !== 'unreachable';
    if (isRefused || !TEMPORARY.has(error.type)) await store.closeOrder(domain, { isRefused });
    throw toFailure(error);
  }
}

async function complete(
  domain: string,
  { key, url }: { key: Secret; url: string | undefined },
  deps: IssueDeps,
  signal: AbortSignal,
): Promise<AcmeOrder> {
  const { client, store, clock } = deps;
  let order = url === undefined ? undefined : await client.order(url, signal).catch(ignoreGone);
  if (order === undefined) {
    order = await client.newOrder(domain, signal);
    await store.setOrderUrl(domain, order.url);
  }
  let [isAuthorized, isFinalized] = [false, false];
  while (order.status !== 'valid' || order.certificate === undefined) {
    if (order.status === 'invalid') throw await reasonOf(order, client, signal);
    if (order.status === 'pending' && !isAuthorized) {
      await authorize(domain, order, deps, signal);
      isAuthorized = true;
      order = await client.order(order.url, signal);
    } else if (order.status === 'ready' && !isFinalized) {
      const request = certificateRequest(domain, createPrivateKey(key.reveal()));
      order = await client.finalize(order, request, signal);
      isFinalized = true;
    } else {
      await pollPause(order, { clock, signal });
      order = await client.order(order.url, signal);
    }
  }
  return order;
}

/** The authority may have forgotten the order, or the account that made it. */
function ignoreGone(error: unknown): undefined {
  if (error instanceof AcmeProblem && !TEMPORARY.has(error.type)) return undefined;
  throw error;
}

/** Proves the domain to the authority, which may have accepted an earlier proof. */
async function authorize(
  domain: string,
  order: AcmeOrder,
  { client, present, withdraw, clock }: IssueDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const url of order.authorizations) {
    let authorization = await client.authorization(url, signal);
    const { challenge } = authorization;
    if (authorization.status !== 'pending') continue;
    await present(domain, challenge, signal);
    try {
      if (challenge.status === 'pending') await client.respond(challenge.url, signal);
      while (authorization.status === 'pending') {
        await pollPause(authorization, { clock, signal });
        authorization = await client.authorization(url, signal);
      }
    } finally {
      // The authority may be asking right now while the server stops. The edge still answers.
      if (!signal.aborted) withdraw(challenge);
    }
    if (authorization.status !== 'valid') throw refusalOf(authorization);
  }
}

async function pollPause(
  { retryAfterMs = MIN_POLL_MS }: { retryAfterMs: number | undefined },
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  await pause(Math.min(Math.max(MIN_POLL_MS, retryAfterMs), MAX_POLL_MS), { clock, signal });
}

/** The challenge says more than the order. */
async function reasonOf(
  order: AcmeOrder,
  client: AcmeClient,
  signal: AbortSignal,
): Promise<AcmeProblem> {
  for (const url of order.authorizations) {
    const authorization = await client.authorization(url, signal);
    if (authorization.challenge.problem !== undefined) return authorization.challenge.problem;
  }
  return new AcmeProblem('orderInvalid', order.error?.detail ?? 'The order became invalid');
}

function refusalOf({ status, challenge }: HttpAuthorization): AcmeProblem {
  return challenge.problem ?? new AcmeProblem('unauthorized', `The authorization is ${status}`);
}

/** What the domain's owner, or the operator, has to know. */
function toFailure(problem: AcmeProblem): IssueFailure {
  const { type, message: detail, retryAfterMs } = problem;
  const options = { cause: problem, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return new IssueFailure({ code: CODES[type] ?? 'refused', detail }, options);
}

const CODES: Partial<Record<string, CertificateFailure['code']>> = {
  rateLimited: 'rate-limited',
  unreachable: 'authority-unavailable',
  serverInternal: 'authority-unavailable',
  badNonce: 'authority-unavailable',
  caa: 'caa',
  accountDoesNotExist: 'account',
  externalAccountRequired: 'account',
  invalidContact: 'account',
  unsupportedContact: 'account',
  userActionRequired: 'account',
};

/** Checks that the certificate is the one that was ordered. */
function issuedChain(
  text: string,
  { domain, key, now }: { domain: string; key: Secret; now: number },
): { chain: string; from: number; until: number } {
  const parsed = parseChain(text);
  if ('problem' in parsed) throw new AcmeProblem('malformed', `The answer ${parsed.problem}`);
  const { certificate, chain } = parsed;
  const isOrdered =
    certificate.checkHost(domain, { subject: 'never' }) !== undefined &&
    certificate.checkPrivateKey(createPrivateKey(key.reveal()));
  if (!isOrdered) {
    throw new AcmeProblem('malformed', 'The certificate is not the one that was ordered');
  }
  const until = Date.parse(certificate.validTo);
  if (until > now) return { chain, from: Date.parse(certificate.validFrom), until };
  const problem = 'The new certificate has already expired. Is the clock of the server right?';
  throw new AcmeProblem('malformed', problem);
}
