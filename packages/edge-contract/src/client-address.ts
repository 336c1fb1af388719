import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The client that sent a request, and the protocol it used. `isProxied`: a trusted proxy passed the request on. */
export type Connection = { address: string; protocol: 'http' | 'https'; isProxied: boolean };

export type IsTrustedProxy = (address: string) => boolean;

type RequestOrigin = {
  headers: IncomingMessage['headers'];
  socket: { remoteAddress?: string | undefined };
};

const MAPPED_IPV4 = '::ffff:';
/** Some proxies append the client's port: 203.0.113.9:1234, [2001:db8::1]:1234. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/;

/**
 * X-Forwarded-* headers are only trusted from proxies that the operator configured. In X-Forwarded-For, the last
 * address that is not a trusted proxy is the client. The addresses before it may be forged.
 */
export function connectionOf(
  { headers, socket }: RequestOrigin,
  isTrustedProxy: IsTrustedProxy | undefined,
): Connection {
  const peer = unmapped(socket.remoteAddress ?? '');
  if (isTrustedProxy === undefined || !isTrustedProxy(peer)) {
    return { address: peer, protocol: 'http', isProxied: false };
  }
  const chain = splitList(headers['x-forwarded-for']).map(withoutPort).map(unmapped);
  const named = chain.findLast((address) => !isTrustedProxy(address)) ?? chain[0];
  return {
    address: named !== undefined && isIP(named) !== 0 ? named : peer,
    protocol: splitList(headers['x-forwarded-proto']).at(-1) === 'https' ? 'https' : 'http',
    isProxied: true,
  };
}

/**
 * Takes addresses and networks such as `10.0.0.1` or `10.0.0.0/8`. Returns undefined for an empty list. An app is no proxy,
 * even if its address lies in a trusted network: it could name any client. An address that is listed itself is trusted.
 */
export function trustedProxies(
  networks: readonly string[],
  appNetworks: readonly string[] = [],
): IsTrustedProxy | undefined {
  if (networks.length === 0) return undefined;
  const isListed = addressMatcher(networks.filter((network) => !network.includes('/')));
  const isInNetwork = addressMatcher(networks.filter((network) => network.includes('/')));
  const isApp = addressMatcher(appNetworks);
  return (address) =>
    isIP(address) !== 0 && (isListed(address) || (isInNetwork(address) && !isApp(address)));
}

/** Takes addresses and networks. */
export function addressMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}

/** Node joins headers of the same name with commas. */
function splitList(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
}

function withoutPort(address: string): string {
  const [, ipv6, other] = WITH_PORT.exec(address) ?? [];
  return ipv6 ?? other ?? address;
}

/** The IPv4 address inside an IPv4-mapped IPv6 address, any other address unchanged. */
export function unmapped(address: string): string {
  return address.startsWith(MAPPED_IPV4) ? address.slice(MAPPED_IPV4.length) : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** The first 64 bits: one visitor usually has a whole network of IPv6 addresses. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const zeros = Array.from({ length: missing }, () => '0');
  return [...groups(head), ...zeros, ...groups(tail ?? '')].slice(0, 4).join(':');
}
