import { SocketAddress } from 'node:net';
import type { DomainCheck } from '@longshore/contract';

/** What the addresses of a domain say, whoever it belongs to. */
export function leadsTo(
  addresses: string[] | undefined,
  publicIp: string,
): DomainCheck & { state: 'verified' | 'elsewhere' | 'missing' | 'unanswered' } {
  if (addresses === undefined) return { state: 'unanswered', addresses: [] };
  if (addresses.length === 0) return { state: 'missing', addresses };
  const isHere = addresses.some((address) => plain(address) === plain(publicIp));
  return { state: isHere ? 'verified' : 'elsewhere', addresses };
}

/** One address has many spellings in version 6. */
function plain(address: string): string {
  return address.includes(':') ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}
