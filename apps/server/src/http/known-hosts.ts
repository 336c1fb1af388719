import { isIP } from 'node:net';
import { isLoopback } from './loopback.ts';

/**
 * Whether a request names us. A page of a stranger whose name was made to lead here (DNS rebinding) would otherwise
 * count as our own; a bare address cannot be made to.
 */
export function isKnownHost(host: string | undefined, publicUrl: string): boolean {
  const name = hostNameOf(`http://${host ?? ''}`);
  if (name === undefined) return false;
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  return isAddress || isLoopback(name) || name === new URL(publicUrl).hostname;
}

/**
 * Whether a page of this origin may read our answers. Sign-up is open, so a stranger's page could otherwise make
 * itself an account on a person's own machine and run code there. Programs on this machine may: they could anyway.
 */
export function isKnownOrigin(origin: string, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  const name = hostNameOf(origin);
  return name !== undefined && isLoopback(name);
}

function hostNameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
