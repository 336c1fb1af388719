import { type Candidate, isFull } from './choose-upstream.ts';

/**
 * Names the instance by its id, which says nothing about where it runs. With HTTPS, browsers accept the name from the host itself
 * only: an app of another host below the same domain cannot choose the instance.
 */
const COOKIES = { http: 'longshore_instance', https: '__Host-longshore_instance' };

type StickyApp = { upstreams: readonly Candidate[]; instances: readonly (string | undefined)[] };

type Visitor = { cookies: string | undefined; scheme: keyof typeof COOKIES };

/** The index of the target that the cookies of a visitor name. Undefined: none, or it has just failed or is at its limit. */
export function stickyTarget(
  { upstreams, instances }: StickyApp,
  visitor: Visitor,
  { now, maxRequests }: { now: number; maxRequests: number },
): number | undefined {
  const index = namedTarget(instances, visitor);
  const upstream = upstreams[index];
  if (upstream === undefined || upstream.avoidedUntil > now) return undefined;
  return isFull(upstream, maxRequests) ? undefined : index;
}

/** Names the instance that answers until the browser is closed. Undefined if the visitor has the cookie. */
export function stickyCookie(
  { instances }: Pick<StickyApp, 'instances'>,
  index: number,
  visitor: Visitor,
): string | undefined {
  const instance = instances[index];
  if (instance === undefined || namedTarget(instances, visitor) === index) return undefined;
  const secure = visitor.scheme === 'https' ? '; Secure' : '';
  return `${COOKIES[visitor.scheme]}=${instance}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

/** By the first cookie that names an instance of the app. -1: none does. */
function namedTarget(instances: StickyApp['instances'], { cookies, scheme }: Visitor): number {
  for (const cookie of cookies?.split(';') ?? []) {
    const [name, value] = cookie.trim().split('=', 2);
    const index = name === COOKIES[scheme] && value ? instances.indexOf(value) : -1;
    if (index !== -1) return index;
  }
  return -1;
}
