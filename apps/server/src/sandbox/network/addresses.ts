import { isIPv4 } from 'node:net';

/** The IPv4 network of sandboxed programs. Its first address is the gateway, the others but the last are given to programs. */
export type AppNetwork = { base: number; bits: number };

export type ParsedNetwork = { ok: true; network: AppNetwork } | { ok: false; problem: string };

const MIN_BITS = 8;
const MAX_BITS = 28;
const PRIVATE: AppNetwork[] = [
  { base: toNumber('10.0.0.0'), bits: 8 },
  { base: toNumber('172.16.0.0'), bits: 12 },
  { base: toNumber('192.168.0.0'), bits: 16 },
  { base: toNumber('100.64.0.0'), bits: 10 },
];

/** The problem is the end of a sentence that starts with the name of the setting. */
export function parseNetwork(text: string): ParsedNetwork {
  const [, address = '', bitsText = ''] = /^([\d.]+)\/(\d{1,2})$/.exec(text) ?? [];
  const bits = Number(bitsText);
  if (!isIPv4(address)) {
    return invalid(`must be an IPv4 network such as 10.213.0.0/16, not "${text}".`);
  }
  if (bits < MIN_BITS || bits > MAX_BITS) {
    return invalid(`must have between ${MIN_BITS} and ${MAX_BITS} bits, not "${text}".`);
  }
  const network = { base: toNumber(address), bits };
  if (network.base % sizeOf(network) !== 0) {
    const base = Math.floor(network.base / sizeOf(network)) * sizeOf(network);
    return invalid(
      `must start at the first address of the network: ${toAddress(base)}/${bits}, not "${text}".`,
    );
  }
  if (!PRIVATE.some((range) => range.bits <= bits && contains(range, network.base))) {
    return invalid(
      `must lie in 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10, not "${text}".`,
    );
  }
  return { ok: true, network };
}

function invalid(problem: string): ParsedNetwork {
  return { ok: false, problem };
}

export function networkText({ base, bits }: AppNetwork): string {
  return `${toAddress(base)}/${bits}`;
}

export function gatewayOf({ base }: AppNetwork): string {
  return toAddress(base + 1);
}

/** The unique local IPv6 network of sandboxed programs. Its last 32 bits hold the IPv4 address, which is unique on the machine. */
const IPV6_PREFIX = 'fd5c:9a27:e1b4:213::';

export const IPV6_NETWORK = `${IPV6_PREFIX}/96`;
export const IPV6_GATEWAY = `${IPV6_PREFIX}1`;

export function ipv6Of(address: string): string {
  const number = toNumber(address);
  const [high, low] = [Math.floor(number / 65_536), number % 65_536];
  return `${IPV6_PREFIX}${high.toString(16)}:${low.toString(16)}`;
}

export function isAppAddress(network: AppNetwork, address: string): boolean {
  if (!isIPv4(address) || !contains(network, toNumber(address))) return false;
  const offset = toNumber(address) - network.base;
  return offset >= FIRST_OFFSET && offset < sizeOf(network) - 1;
}

/** The gateway has offset 1. */
const FIRST_OFFSET = 2;

/**
 * The next free address after `previous`. Going round the whole network keeps an address unused for as long as possible after
 * its program ended. Undefined when all are in use.
 */
export function nextAddress(
  network: AppNetwork,
  previous: string,
  used: ReadonlySet<string>,
): string | undefined {
  const count = sizeOf(network) - FIRST_OFFSET - 1;
  const start = toNumber(previous) - network.base - FIRST_OFFSET;
  for (let step = 1; step <= count; step += 1) {
    const candidate = toAddress(network.base + FIRST_OFFSET + ((start + step) % count));
    if (!used.has(candidate)) return candidate;
  }
  return undefined;
}

/** `fraction` is in [0, 1). */
export function addressAt(network: AppNetwork, fraction: number): string {
  const count = sizeOf(network) - FIRST_OFFSET - 1;
  return toAddress(network.base + FIRST_OFFSET + Math.floor(fraction * count));
}

function sizeOf({ bits }: AppNetwork): number {
  return 2 ** (32 - bits);
}

function contains(network: AppNetwork, address: number): boolean {
  return address >= network.base && address < network.base + sizeOf(network);
}

function toNumber(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function toAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
