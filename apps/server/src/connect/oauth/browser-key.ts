import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { randomValue } from './attempts.ts';

const COOKIE = 'longshore-connect';
const KEY = /^[\w-]{43}$/;
/** As long as the longest way to a provider and back, and a little. */
const LIFETIME_SECONDS = 900;

/** What tells this browser from all others. Several tabs share it. */
export function browserKeyOf(context: Context, publicUrl: string): string | undefined {
  const key = getCookie(context, COOKIE, isSecure(publicUrl) ? 'host' : undefined);
  return key !== undefined && KEY.test(key) ? key : undefined;
}

/** Gives the browser a key, unless it has one. Lax: the way back is a navigation from another site. */
export function giveBrowserKey(context: Context, publicUrl: string): string {
  const key = browserKeyOf(context, publicUrl) ?? randomValue();
  const secure = isSecure(publicUrl);
  setCookie(context, COOKIE, key, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: LIFETIME_SECONDS,
    secure,
    // Keeps neighbouring hosts from planting one.
    ...(secure ? { prefix: 'host' } : {}),
  });
  return key;
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https://');
}
