import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Problem } from './problem.ts';

/** Why a request for this host is refused. */
export function hostProblem(host: string | undefined, publicUrl: string): Problem | undefined {
  if (isKnownHost(host, publicUrl)) return undefined;
  const advice = 'Set LONGSHORE_PUBLIC_URL to the address browsers use';
  return new Problem(421, 'unknown-host', `This server does not serve that host name. ${advice}`);
}

/**
 * Why a websocket is refused. CORS does not apply to websockets, so the server checks the origin of the page itself.
 * Programs other than browsers send no origin.
 */
export function upgradeProblem(
  { host, origin }: IncomingHttpHeaders,
  publicUrl: string,
): Problem | undefined {
  const problem = hostProblem(host, publicUrl);
  if (problem !== undefined || origin === undefined) return problem;
  if (isKnownOrigin(origin, publicUrl)) return undefined;
  return new Problem(403, 'unknown-origin', 'Pages of other origins cannot open a websocket here');
}

/**
 * Whether the host is one of this server's names. Otherwise a foreign page whose DNS record points to this server (DNS
 * rebinding) would count as same-origin. IP addresses cannot be rebound.
 */
export function isKnownHost(host: string | undefined, publicUrl: string): boolean {
  const name = hostNameOf(`http://${host ?? ''}`);
  if (name === undefined) return false;
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  return isAddress || isLoopback(name) || name === new URL(publicUrl).hostname;
}

/**
 * Whether a page of this origin may read responses. Sign-up is open, so a foreign page could otherwise create an account
 * on the user's own machine and run code there. Pages served from this machine are allowed.
 */
export function isKnownOrigin(origin: string, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  const name = hostNameOf(origin);
  return name !== undefined && isLoopback(name);
}

/** Whether the host name of a URL is a loopback address. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

function hostNameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
