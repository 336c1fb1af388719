import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { Problem } from './problem.ts';

/** Why a request for this host is refused. */
export function hostProblem(host: string | undefined, publicUrl: string): Problem | undefined {
  if (isKnownHost(host, publicUrl)) return undefined;
  const advice = 'Set LONGSHORE_PUBLIC_URL to the address browsers use';
  return new Problem(421, 'unknown-host', `This server does not serve that host name. ${advice}`);
}

/** `allowedOrigins`: of pages that may use the services besides the console, as browsers send them. */
export type OriginSettings = { publicUrl: string; allowedOrigins: readonly string[] };

/**
 * Why a websocket is refused. CORS does not apply to websockets, so the server checks the origin of the page itself.
 * Programs other than browsers send no origin.
 */
export function upgradeProblem(
  { host, origin }: IncomingHttpHeaders,
  settings: OriginSettings,
): Problem | undefined {
  const problem = hostProblem(host, settings.publicUrl);
  if (problem !== undefined || origin === undefined) return problem;
  if (isAllowedOrigin(origin, settings) || isSameAddress(origin, host)) return undefined;
  return unknownOrigin('cannot open a websocket here');
}

/** A provider may return its users with a form. */
const FORM_PATH = /\/callback$/;

/**
 * Why a request without credentials is refused. A foreign page cannot read the response, but it could create the first
 * account of the installation on the user's own machine. Browsers state themselves whether the page is foreign.
 */
export function foreignPageProblem(
  { method, url, headers }: Pick<Request, 'method' | 'url' | 'headers'>,
  settings: OriginSettings,
): Problem | undefined {
  const site = headers.get('sec-fetch-site');
  const isForeign = site === 'cross-site' || site === 'same-site';
  if (!isForeign || method !== 'POST' || FORM_PATH.test(new URL(url).pathname)) return undefined;
  if (isAllowedOrigin(headers.get('origin') ?? '', settings)) return undefined;
  return unknownOrigin('cannot send this request');
}

function unknownOrigin(what: string): Problem {
  const advice = 'Set LONGSHORE_ALLOWED_ORIGINS to allow them';
  return new Problem(403, 'unknown-origin', `Pages of other origins ${what}. ${advice}`);
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
 * Whether a page of this origin may read responses. Sign-up may be open, so a foreign page could otherwise create an account
 * on the user's own machine and run code there. Other ports of this machine are foreign too: apps may listen on them.
 * A page without an origin of its own sends `null`, which is never allowed.
 */
export function isAllowedOrigin(
  origin: string,
  { publicUrl, allowedOrigins }: OriginSettings,
): boolean {
  return origin === new URL(publicUrl).origin || allowedOrigins.includes(origin);
}

/**
 * Whether the page is the console, opened by an address of this server in place of its public URL. The public host name
 * itself is left out, because a page of it over http may be forged.
 */
function isSameAddress(origin: string, host: string | undefined): boolean {
  const name = hostNameOf(origin);
  if (name === undefined || origin !== `http://${host}`) return false;
  return isLoopback(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** Whether the host name of a URL is a loopback address. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

function hostNameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
