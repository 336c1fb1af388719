import { isIPv4 } from 'node:net';
import { autoDomain } from '@longshore/contract';

/** An app by its private name. Without an address it cannot be reached. */
export type NamedAddress = { name: string; address: string | undefined };

/** Where programs reach the public URLs of apps. Names below `localhost` are in no DNS. */
export type PublicHosts = { address: string; baseDomain: string };

/** Instead of a name that is not valid. */
export const NO_NAME = '-';

const LOCAL_NAMES = ['localhost', 'ip6-localhost', 'ip6-loopback'];
const LOCAL_LINES = ['127.0.0.1 localhost', '::1 localhost ip6-localhost ip6-loopback'];

/**
 * The comment of a line holds the id of the app, so that a restarted server knows whose line it is. If two apps have the same
 * name, the first one keeps it.
 */
export function hostsText(
  apps: ReadonlyMap<string, NamedAddress>,
  publicHosts?: PublicHosts,
): string {
  const taken = new Set<string>();
  const lines = [...apps].map(([appId, { name, address }]) => {
    const comment = `# ${appId} ${name}${address === undefined ? '' : ` ${address}`}`;
    if (address === undefined || taken.has(name)) return comment;
    taken.add(name);
    const short = LOCAL_NAMES.includes(name) ? '' : `${name} `;
    return `${address} ${short}${name}.internal ${comment}`;
  });
  return [...LOCAL_LINES, ...lines, ...publicLines(apps, publicHosts), ''].join('\n');
}

/** Also of apps without an address: a request to its public URL wakes a sleeping app. */
function publicLines(
  apps: ReadonlyMap<string, NamedAddress>,
  publicHosts: PublicHosts | undefined,
): string[] {
  if (publicHosts === undefined) return [];
  const { address, baseDomain } = publicHosts;
  return [...apps]
    .filter(([, { name }]) => name !== NO_NAME)
    .map(([id, { name }]) => `${address} ${autoDomain({ id, name }, baseDomain)}`);
}

export function parseHosts(text: string): Map<string, NamedAddress> {
  const apps = new Map<string, NamedAddress>();
  for (const line of text.split('\n')) {
    const [, appId, name, address] = /# (\S+) (\S+)(?: (\S+))?$/.exec(line) ?? [];
    if (appId === undefined || name === undefined) continue;
    const isValid = address !== undefined && isIPv4(address);
    apps.set(appId, { name, address: isValid ? address : undefined });
  }
  return apps;
}
