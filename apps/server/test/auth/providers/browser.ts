import type { Backend } from '../../backend.ts';

export type Browser = {
  /** Sends one request with the cookies of its origin, and stores cookies of the response. */
  open(url: string, init?: RequestInit): Promise<Response>;
  /** Follows redirects until they reach a page of the console. */
  followRedirects(url: string): Promise<URL>;
  /** The URL of the last request before the console's page. */
  lastUrl(): string;
  cookies(origin: string): Map<string, string>;
};

const PUBLIC_URL = 'http://localhost:1337';
const MAX_REDIRECTS = 10;

/** A minimal browser for OAuth sign-in: redirects and cookies. */
export function createBrowser(backend: Backend): Browser {
  const jars = new Map<string, Map<string, string>>();
  let lastUrl = '';

  return {
    open,
    cookies: jarOf,
    lastUrl: () => lastUrl,
    async followRedirects(start) {
      let next = new URL(start, PUBLIC_URL);
      for (let step = 0; step < MAX_REDIRECTS; step += 1) {
        if (next.origin === PUBLIC_URL && !next.pathname.startsWith('/v1/')) return next;
        lastUrl = next.href;
        const response = await open(next.href);
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${next} responded with ${await response.text()}`);
        next = new URL(location, next);
      }
      throw new Error(`Too many redirects: ${next}`);
    },
  };

  async function open(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, PUBLIC_URL);
    const jar = jarOf(url.origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const request = { ...init, headers: { ...init.headers, cookie }, redirect: 'manual' as const };
    const response = await (url.origin === PUBLIC_URL
      ? backend.app.request(url.href, request)
      : fetch(url, request));
    for (const line of response.headers.getSetCookie()) storeCookie(jar, line);
    return response;
  }

  function jarOf(origin: string): Map<string, string> {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  }
}

function storeCookie(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const separator = pair.indexOf('=');
  const isDeleted = attributes.some((attribute) =>
    /^(?:max-age=0|expires=.*1970.*)$/i.test(attribute),
  );
  if (isDeleted) jar.delete(pair.slice(0, separator));
  else jar.set(pair.slice(0, separator), pair.slice(separator + 1));
}
