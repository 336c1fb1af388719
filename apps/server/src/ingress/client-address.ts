import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The client that sent a request, and the protocol it used. */
export type Client = { address: string; protocol: 'http' | 'https' };

export type IsTrustedProxy = (address: string) => boolean;

type RequestOrigin = {
  headers: IncomingMessage['headers'];
  socket: { remoteAddress?: string | undefined };
};

const MAPPED_IPV4 = '::ffff:';

/**
 * X-Forwarded-* headers are only trusted from proxies that the operator configured. In X-Forwarded-For, the last
 * address that is not a trusted proxy is the client. The addresses before it may be forged.
 */
export function clientOf(
  { headers, socket }: RequestOrigin,
  isTrustedProxy: IsTrustedProxy | undefined,
): Client {
  const peer = unmapped(socket.remoteAddress ?? '');
  if (isTrustedProxy === undefined || !isTrustedProxy(peer)) {
    return { address: peer, protocol: 'http' };
  }
  const chain = splitList(headers['x-forwarded-for']).map(unmapped);
  return {
    address: chain.findLast((address) => !isTrustedProxy(address)) ?? chain[0] ?? peer,
    protocol: splitList(headers['x-forwarded-proto']).at(-1) === 'https' ? 'https' : 'http',
  };
}

/** Takes addresses and networks such as `10.0.0.1` or `10.0.0.0/8`. Returns undefined for an empty list. */
export function trustedProxies(networks: readonly string[]): IsTrustedProxy | undefined {
  if (networks.length === 0) return undefined;
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** Node joins headers of the same name with commas. */
function splitList(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
}

/** The IPv4 address inside an IPv4-mapped IPv6 address, any other address unchanged. */
function unmapped(address: string): string {
  return address.startsWith(MAPPED_IPV4) ? address.slice(MAPPED_IPV4.length) : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
