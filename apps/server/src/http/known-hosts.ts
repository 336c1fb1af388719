import { isIP } from 'node:net';

/** Names of this machine that nobody else can point anywhere. */
const OWN_NAMES = ['localhost'];

/**
 * Whether a request names us. A page of a stranger whose name was made to lead here (DNS rebinding) would otherwise
 * count as our own; a bare address cannot be made to.
 */
export function isKnownHost(host: string | undefined, publicUrl: string): boolean {
  const name = hostNameOf(`http://${host ?? ''}`);
  return name !== undefined && (isOwnName(name, publicUrl) || isIP(withoutBrackets(name)) !== 0);
}

/**
 * Whether a page of this origin may read our answers. Sign-up is open, so a stranger's page could otherwise make
 * itself an account on a person's own machine and run code there. Programs on this machine may: they could anyway.
 */
export function isKnownOrigin(origin: string, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  const name = hostNameOf(origin);
  return name !== undefined && (OWN_NAMES.includes(name) || isLoopback(withoutBrackets(name)));
}

function isOwnName(name: string, publicUrl: string): boolean {
  return OWN_NAMES.includes(name) || name === new URL(publicUrl).hostname;
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

function hostNameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function withoutBrackets(name: string): string {
  return name.replace(/^\[|\]$/g, '');
}
