import { BlockList, isIP } from 'node:net';
import type { IsTrusted } from './visitor.ts';

/** Addresses and networks, as `10.0.0.1` or `10.0.0.0/8`. Undefined for none: then nobody need be asked about. */
export function trustedProxies(networks: readonly string[]): IsTrusted | undefined {
  if (networks.length === 0) return undefined;
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
