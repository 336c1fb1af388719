import { isIPv4 } from 'node:net';
import { autoDomain } from '@longshore/contract';

/** An app by its private name, with one address per instance. Without an address it cannot be reached. */
export type NamedAddresses = { name: string; addresses: string[] };

/** Where programs reach the public URLs of apps. Names below `localhost` are in no DNS. */
export type PublicHosts = { address: string; baseDomain: string };

/** Instead of a name that is not valid. */
export const NO_NAME = '-';

const LOCAL_NAMES = ['localhost', 'ip6-localhost', 'ip6-loopback'];
const LOCAL_LINES = ['127.0.0.1 localhost', '::1 localhost ip6-localhost ip6-loopback'];

/**
 * One line per address. Its comment holds the id of the app, so that a restarted server knows whose line it is. If two apps have
 * the same name, the first one keeps it.
 */
export function hostsText(
  apps: ReadonlyMap<string, NamedAddresses>,
  publicHosts?: PublicHosts,
): string {
  const taken = new Set<string>();
  const lines = [...apps].flatMap(([appId, { name, addresses }]) => {
    const comment = `# ${appId} ${name}`;
    if (addresses.length === 0) return [comment];
    if (taken.has(name)) return addresses.map((address) => `${comment} ${address}`);
    taken.add(name);
    const short = LOCAL_NAMES.includes(name) ? '' : `${name} `;
    return addresses.map((address) => `${address} ${short}${name}.internal ${comment} ${address}`);
  });
  return [...LOCAL_LINES, ...lines, ...publicLines(apps, publicHosts), ''].join('\n');
}

/** Also of apps without an address: a request to its public URL wakes a sleeping app. */
function publicLines(
  apps: ReadonlyMap<string, NamedAddresses>,
  publicHosts: PublicHosts | undefined,
): string[] {
  if (publicHosts === undefined) return [];
  const { address, baseDomain } = publicHosts;
  return [...apps]
    .filter(([, { name }]) => name !== NO_NAME)
    .map(([id, { name }]) => `${address} ${autoDomain({ id, name }, baseDomain)}`);
}

export function parseHosts(text: string): Map<string, NamedAddresses> {
  const apps = new Map<string, NamedAddresses>();
  for (const line of text.split('\n')) {
    const [, appId, name, address] = /# (\S+) (\S+)(?: (\S+))?$/.exec(line) ?? [];
    if (appId === undefined || name === undefined) continue;
    const before = apps.get(appId)?.addresses ?? [];
    const isValid = address !== undefined && isIPv4(address);
    apps.set(appId, { name, addresses: isValid ? [...before, address] : before });
  }
  return apps;
}
