import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';
import {
  type AppNetwork,
  addressAt,
  gatewayOf,
  networkText,
  nextAddress,
  parseNetwork,
} from '../../sandbox/network/addresses.ts';
import type { Network } from './firewall.ts';

/** 1,024 subnets in a rarely used part of the private address space. */
const FIRST: AppNetwork = { base: 10 * 2 ** 24 + 212 * 2 ** 16, bits: 14 };
const BITS = 24;
const SIZE = 2 ** (32 - BITS);
const COUNT = 2 ** (BITS - FIRST.bits);

/** Contains all of them. */
export const PROJECT_NETWORKS = networkText(FIRST);

/** How Docker is asked for the addresses of a network. */
export type AddressPool = { Subnet: string; Gateway: string; IPRange: string };

/**
 * A subnet that no Docker network, interface or route of this machine uses; undefined when none is free. Longshore chooses the
 * addresses in its first half, Docker those in its second half.
 */
export function findFreePool(
  taken: string[],
  own: string[] = ownAddresses(),
): AddressPool | undefined {
  const networks = taken.map((subnet) => subnet.split('/')).filter(([base]) => base?.includes('.'));
  const blocked = new BlockList();
  for (const [base = '', bits] of networks) blocked.addSubnet(base, Number(bits), 'ipv4');
  const usedAddresses = [...own, ...networks.map(([base = '']) => base)];
  for (let number = 0; number < COUNT; number += 1) {
    const subnet = { base: FIRST.base + number * SIZE, bits: BITS };
    const [base = ''] = networkText(subnet).split('/');
    const candidate = new BlockList();
    candidate.addSubnet(base, BITS, 'ipv4');
    const isTaken =
      blocked.check(base) || usedAddresses.some((address) => candidate.check(address));
    if (!isTaken) return poolOf(subnet);
  }
  return undefined;
}

function poolOf(subnet: AppNetwork): AddressPool {
  const secondHalf = { base: subnet.base + SIZE / 2, bits: BITS + 1 };
  return {
    Subnet: networkText(subnet),
    Gateway: gatewayOf(subnet),
    IPRange: networkText(secondHalf),
  };
}

/**
 * An address that a container keeps when Docker restarts it. Undefined when all are used, and for networks of earlier versions,
 * where Docker chooses addresses everywhere.
 */
export function freeAddress(
  { IPAM }: Pick<Network, 'IPAM'>,
  used: ReadonlySet<string>,
  random: () => number = Math.random,
): string | undefined {
  const pool = IPAM.Config?.find(({ IPRange }) => IPRange);
  const subnet = parseNetwork(pool?.Subnet ?? '');
  if (!subnet.ok || subnet.network.bits !== BITS) return undefined;
  const firstHalf = { ...subnet.network, bits: BITS + 1 };
  return nextAddress(firstHalf, addressAt(firstHalf, random()), used);
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address);
}

/** The networks to which this machine has routes, except the default one: a VPN may lead to them. */
export function routedNetworks(table: string = readRoutes()): string[] {
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .filter(([, , , , , , , mask = '00000000']) => mask !== '00000000')
    .map(([, to = '', , , , , , mask = '']) => `${hexAddress(to)}/${bitsOf(mask)}`);
}

function readRoutes(): string {
  try {
    return readFileSync('/proc/net/route', 'utf8');
  } catch {
    return '';
  }
}

/** The kernel writes the bytes of an address in reverse order. */
function hexAddress(hex: string): string {
  return [...Buffer.from(hex, 'hex')].reverse().join('.');
}

function bitsOf(mask: string): number {
  return [...Number.parseInt(mask, 16).toString(2)].filter((bit) => bit === '1').length;
}
