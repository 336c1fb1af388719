import { isIP } from 'node:net';
import type { Reason } from '../../engines/failure.ts';
import { isPrivateAddress } from '../../outbound/private-address.ts';

/** `image` is undefined if BuildKit does not say which one it is. */
export type ImageFailure = { reason: Reason; evidence: string[]; image: string | undefined };

/** The start of the text separates what BuildKit says from what a failed command of the user prints. */
const METADATA = /^(?:\S+: )?failed to resolve source metadata for (\S+): (.+)$/s;
const CONTENT =
  /^(?:failed to compute cache key: )?((?:failed to copy: |failed commit on ref ).+)$/s;
const SIGN_IN = /^(?:failed to authorize: )?(failed to fetch (?:oauth|anonymous) token: .+)$/s;

const STATUS = /\bunexpected status from \w+ request to \S+: ((\d{3})[ \w]*)/;
/** The address that BuildKit connected to. Requests with `ns` go to a mirror. */
const CONNECT = /(?<!\?ns=\S+): dial tcp (\[[^\]]+\]|[\d.]+):\d+: (?:connect|i\/o timeout)/;
const MAX_DETAIL_LENGTH = 300;

/** What the text means, the first match first. */
const CAUSES: [RegExp, Reason, string?][] = [
  [/no match for platform in manifest/, 'image-wrong-architecture'],
  [/pull access denied|authorization failed/, 'image-refused'],
  [
    /could not fetch content descriptor .* not found/,
    'image-not-found',
    'The registry lacks a part of the image',
  ],
  [/: not found$/, 'image-not-found'],
  [
    /failed commit on ref/,
    'registry-unreachable',
    'The registry sent a damaged image, or the connection failed',
  ],
  [
    /server gave HTTP response to HTTPS client/,
    'registry-unreachable',
    'The registry uses plain HTTP. Builds need HTTPS, unless it is the LONGSHORE_REGISTRY of the operator',
  ],
  [/tls: |x509: /, 'registry-unreachable', 'The certificate of the registry is not valid'],
  [/no such host/, 'registry-unreachable', 'The host name of the registry was not found'],
  [/connection refused/, 'registry-unreachable', 'The registry refused the connection'],
  [
    /i\/o timeout|handshake timeout|deadline exceeded/,
    'registry-unreachable',
    'The registry did not respond in time',
  ],
  [
    /unreachable|no route to host|EOF|connection reset/,
    'registry-unreachable',
    'The connection to the registry failed',
  ],
];

/**
 * Why BuildKit could not get an image, from its last message. Undefined if the build failed for another reason. With
 * `allowsPrivateNetworks`, a registry in a private network may be only out of order.
 */
export function imageFailure(
  problem: string,
  { allowsPrivateNetworks }: { allowsPrivateNetworks: boolean },
): ImageFailure | undefined {
  const [, image, unresolved] = METADATA.exec(problem) ?? [];
  const detail = unresolved ?? CONTENT.exec(problem)?.[1] ?? SIGN_IN.exec(problem)?.[1];
  if (detail === undefined) return undefined;
  const { reason, explanation } =
    notAllowed(detail, allowsPrivateNetworks) ?? fromStatus(detail) ?? fromText(detail);
  const evidence = [...(image === undefined ? [] : [`Image: ${image}`]), ...explanation];
  return { reason, evidence, image };
}

type Explained = { reason: Reason; explanation: string[] };

/** Builds never reach the loopback address of this machine; localhost is the builder itself. */
function notAllowed(detail: string, allowsPrivateNetworks: boolean): Explained | undefined {
  const address = CONNECT.exec(detail)?.[1]?.replace(/^\[|\]$/g, '');
  if (address === undefined || isIP(address) === 0 || !isPrivateAddress(address)) return undefined;
  const isLoopback = address.startsWith('127.') || address === '::1';
  if (allowsPrivateNetworks && !isLoopback) return undefined;
  const where = isLoopback ? 'on this machine' : 'in a private network';
  return { reason: 'source-not-allowed', explanation: [`The registry at ${address} is ${where}`] };
}

function fromStatus(detail: string): Explained | undefined {
  const [, text = '', code] = STATUS.exec(detail) ?? [];
  if (code === undefined) return undefined;
  const explanation = [`The registry responded with ${text.trim()}`];
  if (code === '401' || code === '403') return { reason: 'image-refused', explanation };
  return { reason: code === '404' ? 'image-not-found' : 'registry-unreachable', explanation };
}

function fromText(detail: string): Explained {
  const found = CAUSES.find(([pattern]) => pattern.test(detail));
  if (found === undefined) {
    return { reason: 'registry-unreachable', explanation: [detail.slice(0, MAX_DETAIL_LENGTH)] };
  }
  const [, reason, explanation] = found;
  return { reason, explanation: explanation === undefined ? [] : [explanation] };
}
