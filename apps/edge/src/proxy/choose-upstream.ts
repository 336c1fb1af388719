import type { Upstream } from './upstream.ts';

/** How long a target that failed gets no requests while others can take them. */
export const AVOIDED_MS = 1_000;

export type Candidate = Pick<Upstream, 'inFlight' | 'websockets' | 'avoidedUntil'>;

/**
 * `turn`: the index of the target that got the last request. `tried`: those that did not answer this request. `maxRequests`: of
 * one target at a time.
 */
type Choice<Kind> = {
  upstreams: readonly Kind[];
  turn: number;
  tried: readonly Kind[];
  now: number;
  maxRequests: number;
};

/**
 * The index of the target with the least requests and websockets in flight, in turns among equals. A target that failed this
 * request or, a moment ago, another one is the last choice. -1: all are at their limit.
 */
export function chooseUpstream<Kind extends Candidate>(choice: Choice<Kind>): number {
  const { upstreams, turn, tried, now, maxRequests } = choice;
  const count = upstreams.length;
  let best = -1;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let step = 1; step <= count; step += 1) {
    const index = (turn + step) % count;
    const upstream = upstreams[index] as Kind;
    if (isFull(upstream, maxRequests)) continue;
    const isLast = upstream.avoidedUntil > now || tried.includes(upstream);
    const cost = upstream.inFlight + (isLast ? LAST_COST : 0);
    if (cost < bestCost) [best, bestCost] = [index, cost];
  }
  return best;
}

export function isFull({ inFlight, websockets }: Candidate, maxRequests: number): boolean {
  return inFlight - websockets >= maxRequests;
}

/** More than a target can have in flight. */
const LAST_COST = 1e9;
