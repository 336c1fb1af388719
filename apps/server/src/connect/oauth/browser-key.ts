import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { randomValue } from './attempts.ts';

const COOKIE = 'longshore-connect';
const KEY = /^[\w-]{43}$/;
/** Longer than a sign-in at the provider may take. */
const LIFETIME_SECONDS = 900;

/** Identifies the browser. All its tabs share the key. */
export function browserKeyOf(context: Context, publicUrl: string): string | undefined {
  const key = getCookie(context, COOKIE, isSecure(publicUrl) ? 'host' : undefined);
  return key !== undefined && KEY.test(key) ? key : undefined;
}

/** Sets the cookie unless the browser has one. `Lax`, because the provider redirects back from another site. */
export function ensureBrowserKey(context: Context, publicUrl: string): string {
  const key = browserKeyOf(context, publicUrl) ?? randomValue();
  const secure = isSecure(publicUrl);
  setCookie(context, COOKIE, key, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: LIFETIME_SECONDS,
    secure,
    // Sibling subdomains cannot set a cookie with this prefix.
    ...(secure ? { prefix: 'host' } : {}),
  });
  return key;
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https://');
}
