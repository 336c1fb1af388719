import type { IncomingMessage } from 'node:http';

/** Who asks, and how the request left them. */
export type Visitor = { address: string; protocol: 'http' | 'https' };

/** Whether an address is a proxy's that the operator named. */
export type IsTrusted = (address: string) => boolean;

type Arrived = {
  headers: IncomingMessage['headers'];
  socket: { remoteAddress?: string | undefined };
};

const MAPPED_IPV4 = '::ffff:';

/**
 * A proxy that the operator named is believed about who asked it. Whoever connects themselves is believed about nothing.
 * Of a chain of addresses the last one counts that is no such proxy's: what stands before it, anybody may have written.
 */
export function visitorOf({ headers, socket }: Arrived, isTrusted: IsTrusted | undefined): Visitor {
  const peer = plainAddress(socket.remoteAddress ?? '');
  if (isTrusted === undefined || !isTrusted(peer)) return { address: peer, protocol: 'http' };
  const chain = listOf(headers['x-forwarded-for']).map(plainAddress);
  return {
    address: chain.findLast((address) => !isTrusted(address)) ?? chain[0] ?? peer,
    protocol: listOf(headers['x-forwarded-proto']).at(-1) === 'https' ? 'https' : 'http',
  };
}

/** Node joins headers of the same name with commas. */
function listOf(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
}

function plainAddress(address: string): string {
  return address.startsWith(MAPPED_IPV4) ? address.slice(MAPPED_IPV4.length) : address;
}
