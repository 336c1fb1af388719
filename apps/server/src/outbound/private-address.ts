import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks that are not globally reachable, from the IANA special-purpose address registries. */
const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The last entries embed an IPv4 address, which could be a private one. */
const PRIVATE_IPV6 = [
  '::/128',
  '::1/128',
  '100::/64',
  '2001:db8::/32',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
];

/** Also true for text that is not an IP address. */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return privateIpv4.check(address, 'ipv4');
  if (isIPv6(address)) return privateIpv6.check(address, 'ipv6');
  return true;
}

const privateIpv4 = blockList(PRIVATE_IPV4, 'ipv4');
const privateIpv6 = blockList(PRIVATE_IPV6, 'ipv6');

function blockList(networks: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
