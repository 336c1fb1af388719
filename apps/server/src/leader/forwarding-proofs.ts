import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Secret } from '../secrets/secret.ts';

/** What servers prove to each other with the master key, which only they have. */
export type ForwardingProofs = {
  /** For a header of a forwarded request. It proves this request only, and not for long. */
  ofRequest(method: string, path: string): string;
  /** Whether a server has sent the request on. `path`: with the query. */
  isOfRequest(proof: string | null | undefined, method: string, path: string): boolean;
  isForwarded(request: IncomingMessage): boolean;
  newChallenge(): string;
  /** That the server at this address leads. */
  ofLeader(challenge: string, address: string): string;
  isOfLeader(proof: string, challenge: string, address: string): boolean;
};

export const FORWARDED_HEADER = 'x-longshore-forwarded';

/** The clocks of two machines differ. */
const VALID_MS = 5 * 60_000;

export function createForwardingProofs(
  masterKey: Secret,
  clock: { now(): number },
): ForwardingProofs {
  const sign = (...parts: string[]) =>
    createHmac('sha256', masterKey.reveal()).update(JSON.stringify(parts)).digest('base64url');

  function isOfRequest(proof: string | null | undefined, method: string, path: string): boolean {
    const [sentAt = '', signature = ''] = proof?.split('.') ?? [];
    const isRecent = Math.abs(clock.now() - Number(sentAt)) < VALID_MS;
    return isRecent && isSame(signature, sign('forwarded', sentAt, method, path));
  }

  return {
    ofRequest(method, path) {
      const sentAt = String(clock.now());
      return `${sentAt}.${sign('forwarded', sentAt, method, path)}`;
    },
    isOfRequest,
    isForwarded({ headers, method = '', url = '' }) {
      const proof = headers[FORWARDED_HEADER];
      return typeof proof === 'string' && isOfRequest(proof, method, url);
    },
    newChallenge: () => randomBytes(16).toString('hex'),
    ofLeader: (challenge, address) => sign('leader', challenge, address),
    isOfLeader: (proof, challenge, address) => isSame(proof, sign('leader', challenge, address)),
  };
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
