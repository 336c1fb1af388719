import { ROUTES } from '@longshore/contract';

const KEY = 'returnPath';

/** Parameters of email links and social sign-in, some of them secret. */
const AUTH_PARAMETERS = ['refreshToken', 'type', 'ticket', 'error', 'errorDescription'];

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** `userId`: only this user may return to the page. */
export type ReturnPath = { path: string; userId?: string };

/**
 * Path, query and hash of a dashboard page, without auth parameters. Undefined for every other URL, so that nobody is
 * redirected to another origin or back to the sign-in page.
 */
export function dashboardPath(href: string, origin: string): string | undefined {
  if (!URL.canParse(href, origin)) return undefined;
  const url = new URL(href, origin);
  if (url.origin !== origin || !`${url.pathname}/`.startsWith(`${ROUTES.dashboard}/`)) {
    return undefined;
  }
  for (const name of AUTH_PARAMETERS) if (url.searchParams.has(name)) url.searchParams.delete(name);
  const hash = AUTH_PARAMETERS.some((name) => url.hash.includes(`${name}=`)) ? '' : url.hash;
  return url.pathname + url.search + hash;
}

/** Remembers the page for the time after sign-in, in this tab. Without a page, it is forgotten. */
export function rememberReturnPath(storage: Storage, returnPath: ReturnPath | undefined): void {
  if (returnPath === undefined) storage.removeItem(KEY);
  else storage.setItem(KEY, JSON.stringify(returnPath));
}

/** The remembered page. With a user: only if that user may return to it. */
export function returnPathOf(
  storage: Storage,
  { origin, userId }: { origin: string; userId?: string },
): string | undefined {
  try {
    const stored = JSON.parse(storage.getItem(KEY) ?? '') as ReturnPath;
    const isOthers = stored.userId !== undefined && stored.userId !== userId;
    return isOthers ? undefined : dashboardPath(stored.path, origin);
  } catch {
    return undefined;
  }
}
