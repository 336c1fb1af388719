import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';

/** 4,096 subnets of 62 addresses in a rarely used part of the private address space. */
const FIRST = [10, 212, 0, 0] as const;
const BITS = 26;
const SIZE = 2 ** (32 - BITS);
const COUNT = 4096;

/** Contains all of them. */
export const PROJECT_NETWORKS = '10.212.0.0/14';

/** A subnet that no Docker network and no interface of this machine uses. */
export function findFreeSubnet(taken: string[], own: string[] = ownAddresses()): string {
  const networks = taken.map((subnet) => subnet.split('/')).filter(([base]) => base?.includes('.'));
  const blocked = new BlockList();
  for (const [base = '', bits] of networks) blocked.addSubnet(base, Number(bits), 'ipv4');
  const usedAddresses = [...own, ...networks.map(([base = '']) => base)];
  for (let number = 0; number < COUNT; number += 1) {
    const base = addressAt(number * SIZE);
    const candidate = new BlockList();
    candidate.addSubnet(base, BITS, 'ipv4');
    const isTaken =
      blocked.check(base) || usedAddresses.some((address) => candidate.check(address));
    if (!isTaken) return `${base}/${BITS}`;
  }
  throw new Error('No free subnet for the network of a project');
}

function addressAt(offset: number): string {
  const [a, b, c, d] = FIRST;
  const number = ((a * 256 + b) * 256 + c) * 256 + d + offset;
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address);
}
