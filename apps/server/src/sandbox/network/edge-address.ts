import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Edge } from './rule-parts.ts';

/** The edge may listen on a name. One that listens nowhere is reachable nowhere. */
export async function resolveEdge({ host, ports }: Edge): Promise<Edge> {
  if (isIP(host) !== 0) return { host: host.replace(/%.*/, ''), ports };
  const found = await lookup(host, { family: 4 }).catch(() => undefined);
  return { host: found?.address ?? '127.0.0.1', ports };
}
