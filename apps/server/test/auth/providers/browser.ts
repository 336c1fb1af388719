import type { Backend } from '../../backend.ts';

export type Browser = {
  /** One request, with the cookies of its origin; what is answered is kept. */
  open(address: string, init?: RequestInit): Promise<Response>;
  /** Follows redirects until they lead to a page of the console. */
  travel(address: string): Promise<URL>;
  /** Where the last request before the console's page went. */
  lastAddress(): string;
  cookies(origin: string): Map<string, string>;
};

const PUBLIC_URL = 'http://localhost:1337';
const MAX_STEPS = 10;

/** A browser as far as signing in elsewhere needs one: redirects and cookies. */
export function createBrowser(backend: Backend): Browser {
  const jars = new Map<string, Map<string, string>>();
  let lastAddress = '';

  return {
    open,
    cookies: jarOf,
    lastAddress: () => lastAddress,
    async travel(address) {
      let next = new URL(address, PUBLIC_URL);
      for (let step = 0; step < MAX_STEPS; step += 1) {
        if (next.origin === PUBLIC_URL && !next.pathname.startsWith('/v1/')) return next;
        lastAddress = next.href;
        const response = await open(next.href);
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${next} answered ${await response.text()}`);
        next = new URL(location, next);
      }
      throw new Error(`The way does not end: ${next}`);
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
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    return response;
  }

  function jarOf(origin: string): Map<string, string> {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const at = pair.indexOf('=');
  const isGone = attributes.some((attribute) =>
    /^(?:max-age=0|expires=.*1970.*)$/i.test(attribute),
  );
  if (isGone) jar.delete(pair.slice(0, at));
  else jar.set(pair.slice(0, at), pair.slice(at + 1));
}
