import type { IncomingHttpHeaders } from 'node:http';
import { isKnownHost, isKnownOrigin } from './known-hosts.ts';
import { Problem } from './problem.ts';

/** Why a request that names this host is not answered. */
export function hostProblem(host: string | undefined, publicUrl: string): Problem | undefined {
  if (isKnownHost(host, publicUrl)) return undefined;
  const advice = 'Set LONGSHORE_PUBLIC_URL to the address browsers use';
  return new Problem(421, 'unknown-host', `This server does not go by that name. ${advice}`);
}

/**
 * Why a websocket is not opened. Of an answer the browser keeps what a page may not read; of a websocket it keeps
 * nothing. So the page that asks is looked at here; programs name none.
 */
export function upgradeProblem(
  { host, origin }: IncomingHttpHeaders,
  publicUrl: string,
): Problem | undefined {
  const problem = hostProblem(host, publicUrl);
  if (problem !== undefined || origin === undefined) return problem;
  if (isKnownOrigin(origin, publicUrl)) return undefined;
  return new Problem(403, 'unknown-origin', 'Pages from elsewhere cannot open a websocket here');
}
