import { Agent } from 'node:http';
import { isIPv6 } from 'node:net';
import type { CertificateFailure } from '@longshore/contract';
import type { Clock } from '@longshore/edge-contract';
import { pause } from '../concurrency/pause.ts';
import type { DnsClient } from '../domains/dns-client.ts';
import { isPrivateAddress } from '../outbound/private-address.ts';
import { sendOnce } from '../outbound/send-once.ts';

/** What has to be served at `/.well-known/acme-challenge/<token>`. */
export type Challenge = { token: string; response: string };

/** What one address of a domain answered. */
export type AddressAnswer =
  | { address: string; kind: 'own' }
  | { address: string; kind: 'foreign'; status: number }
  | { address: string; kind: 'unreachable'; code: string };

export type ArrivalDeps = {
  lookUp: DnsClient;
  /** Addresses of this machine, which may be private. */
  ownAddresses(): string[];
  clock: Clock;
  /** Authorities always connect to port 80. */
  port?: number;
};

const HTTP_PORT = 80;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 2_000;
const MAX_ADDRESSES = 8;
/** The edge gets a challenge some milliseconds after it was sent. A slow answer is of another server. */
const TRIES = 5;
const RETRY_MS = 200;
const MAX_RETRY_MS = 3_000;

/**
 * Requests the challenge at the domain, as a certificate authority does. Undefined: it arrives at this server. Redirects are not
 * followed, and addresses of private networks are not connected to unless they are this machine's own.
 */
export async function checkArrival(
  domain: string,
  challenge: Challenge,
  { lookUp, ownAddresses, clock, port = HTTP_PORT }: ArrivalDeps,
  signal: AbortSignal,
): Promise<CertificateFailure | undefined> {
  const { addresses } = await lookUp(domain, signal);
  signal.throwIfAborted();
  const refusal = addressesProblem(addresses, ownAddresses());
  if (refusal !== undefined) return refusal;
  const startedAt = clock.now();
  const ask = (address: string) => askAddress({ domain, address, port }, challenge, signal);
  for (let tries = 1; ; tries += 1) {
    const answers = await Promise.all((addresses ?? []).map(ask));
    signal.throwIfAborted();
    const failure = arrivalFailure(answers);
    const mayBeLate = tries < TRIES && clock.now() - startedAt < MAX_RETRY_MS;
    if (failure?.code !== 'elsewhere' || !mayBeLate) return failure;
    await pause(RETRY_MS, { clock, signal });
  }
}

/** Why no connection is made. */
export function addressesProblem(
  addresses: string[] | undefined,
  own: string[],
): CertificateFailure | undefined {
  if (addresses === undefined) return { code: 'no-dns-answer', detail: '' };
  if (addresses.length === 0) return { code: 'no-address', detail: '' };
  const isAllowed = (address: string) => own.includes(address) || !isPrivateAddress(address);
  if (!addresses.every(isAllowed)) return { code: 'private-address', detail: '' };
  const isTooMany = addresses.length > MAX_ADDRESSES;
  return isTooMany ? { code: 'elsewhere', detail: `${addresses.length} addresses` } : undefined;
}

/** The network of this machine may have no IPv6, while visitors have. */
const NO_ROUTE = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTUNREACH']);

/** An authority may connect to any of the addresses, so each one that can be tried must lead here. */
export function arrivalFailure(answers: AddressAnswer[]): CertificateFailure | undefined {
  const foreign = answers.find((answer) => answer.kind === 'foreign');
  if (foreign !== undefined) {
    return { code: 'elsewhere', detail: `${foreign.address} answered with ${foreign.status}` };
  }
  const isSkipped = ({ address, ...answer }: AddressAnswer) =>
    isIPv6(address) && answer.kind === 'unreachable' && NO_ROUTE.has(answer.code);
  const unreachable = answers.find((answer) => answer.kind === 'unreachable' && !isSkipped(answer));
  const failed = unreachable ?? (answers.every(isSkipped) ? answers[0] : undefined);
  if (failed?.kind !== 'unreachable') return undefined;
  return { code: 'unreachable', detail: `${failed.address}: ${failed.code}` };
}

async function askAddress(
  { domain, address, port }: { domain: string; address: string; port: number },
  { token, response: expected }: Challenge,
  signal: AbortSignal,
): Promise<AddressAnswer> {
  const url = new URL(`http://${domain}:${port}/.well-known/acme-challenge/${token}`);
  const family = isIPv6(address) ? 6 : 4;
  const agent = new Agent({
    lookup: (_host, { all }, found) =>
      all ? found(null, [{ address, family }]) : found(null, address, family),
  });
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await sendOnce(
      { url, method: 'GET', headers: { 'user-agent': 'longshore' }, body: undefined },
      { agent, maxBytes: MAX_BYTES, signal: AbortSignal.any([signal, deadline]) },
    );
    const isOwn = response.ok && (await response.text()).trim() === expected;
    return isOwn ? { address, kind: 'own' } : { address, kind: 'foreign', status: response.status };
  } catch (error) {
    const { code = 'closed' } = error as NodeJS.ErrnoException;
    return { address, kind: 'unreachable', code: deadline.aborted ? 'timeout' : code };
  } finally {
    agent.destroy();
  }
}
