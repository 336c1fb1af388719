import type { RoutedApp } from './route-table.ts';

/** Names the instance by its id, which says nothing about where it runs. */
const COOKIE = 'longshore_instance';

type StickyApp = Pick<RoutedApp, 'upstreams' | 'instances'>;

/** The index of the target that the cookies of a visitor name. Undefined: none, or it has just failed. */
export function stickyTarget(
  { upstreams, instances }: StickyApp,
  cookies: string | undefined,
  now: number,
): number | undefined {
  const named = namedInstance(cookies);
  const index = named === undefined ? -1 : instances.indexOf(named);
  const upstream = upstreams[index];
  return upstream !== undefined && upstream.avoidedUntil <= now ? index : undefined;
}

/** Names the instance that answers until the browser is closed. Undefined if the visitor has the cookie. */
export function stickyCookie(
  instance: string | undefined,
  cookies: string | undefined,
  scheme: 'http' | 'https',
): string | undefined {
  if (instance === undefined || namedInstance(cookies) === instance) return undefined;
  const secure = scheme === 'https' ? '; Secure' : '';
  return `${COOKIE}=${instance}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

function namedInstance(cookies: string | undefined): string | undefined {
  for (const cookie of cookies?.split(';') ?? []) {
    const [name, value] = cookie.trim().split('=', 2);
    if (name === COOKIE) return value;
  }
  return undefined;
}
