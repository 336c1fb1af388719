import { REFRESH_COOKIE_DAYS } from '@longshore/contract';
import type { KeyValueStorage } from '../ports.ts';

/** Keeps values for 30 days in cookies of our own site. Spec §9. */
export function cookieStorage(page: { cookie: string }): KeyValueStorage {
  const maxAgeSeconds = REFRESH_COOKIE_DAYS * 24 * 60 * 60;
  const write = (key: string, value: string, maxAge: number) => {
    page.cookie = `${key}=${encodeURIComponent(value)}; Max-Age=${maxAge}; Path=/; SameSite=Lax`;
  };
  return {
    getItem(key) {
      const found = page.cookie.split('; ').find((cookie) => cookie.startsWith(`${key}=`));
      return found === undefined ? null : decodeURIComponent(found.slice(key.length + 1));
    },
    setItem: (key, value) => write(key, value, maxAgeSeconds),
    removeItem: (key) => write(key, '', 0),
  };
}
