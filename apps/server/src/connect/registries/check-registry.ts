import { isRecord } from '@longshore/contract';
import type { OutboundFetch } from '../../outbound/outbound-fetch.ts';
import type { Secret } from '../../secrets/secret.ts';

export type RegistryLogin = { username: string; password: Secret };

/** Whether a registry accepts a user name and password. */
export type RegistryCheckResult =
  | 'accepted'
  | 'refused'
  | 'no-registry'
  | 'rate-limited'
  | 'out-of-order';

/** The authentication scheme of a registry, from its `WWW-Authenticate` header. */
type Challenge = { kind: 'basic' } | { kind: 'bearer'; realm: URL; service: string | undefined };

const PARAMETER = /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

type Send = (target: URL, authorization?: string) => Promise<Response>;

/** Signs in as `docker login` does: reads the registry's challenge and responds to it. Throws if it is unreachable. */
export async function checkRegistry(
  url: string,
  login: RegistryLogin,
  { fetch, signal }: { fetch: OutboundFetch; signal: AbortSignal },
): Promise<RegistryCheckResult> {
  const root = new URL(`${url}/v2/`);
  const send: Send = (target, authorization) =>
    fetch(target.href, {
      signal,
      headers: { 'user-agent': 'longshore', ...(authorization && { authorization }) },
    });
  const anonymous = await send(root);
  // Some registries allow anonymous access, but still check credentials that are sent.
  if (anonymous.ok) return toResult(await send(root, basicAuthorization(login)));
  if (anonymous.status !== 401) return toResult(anonymous);
  const challenge = parseChallenge(anonymous.headers.get('www-authenticate'));
  if (challenge === undefined || isDowngrade(root, challenge)) return 'no-registry';
  if (challenge.kind === 'basic') return toResult(await send(root, basicAuthorization(login)));
  const tokenResponse = await send(tokenUrl(challenge, login.username), basicAuthorization(login));
  if (!tokenResponse.ok) return toResult(tokenResponse);
  const token = readToken(await tokenResponse.json().catch(() => undefined));
  return token === undefined ? 'no-registry' : toResult(await send(root, `Bearer ${token}`));
}

function toResult({ ok, status }: Response): RegistryCheckResult {
  if (ok) return 'accepted';
  if (status === 401 || status === 403) return 'refused';
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'out-of-order' : 'no-registry';
}

/** Whether an https registry names a plain-http token service, which would expose the password. */
function isDowngrade({ protocol }: URL, challenge: Challenge): boolean {
  if (challenge.kind === 'basic') return false;
  const allowed = protocol === 'https:' ? ['https:'] : ['https:', 'http:'];
  return !allowed.includes(challenge.realm.protocol);
}

function tokenUrl(
  { realm, service }: Extract<Challenge, { kind: 'bearer' }>,
  username: string,
): URL {
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set('service', service);
  url.searchParams.set('account', username);
  return url;
}

function readToken(body: unknown): string | undefined {
  const { token, access_token } = isRecord(body) ? body : {};
  // Printable ASCII: the token is sent in a header.
  return [token, access_token].find(
    (candidate): candidate is string =>
      typeof candidate === 'string' && /^[\x21-\x7e]+$/.test(candidate),
  );
}

function basicAuthorization({ username, password }: RegistryLogin): string {
  return `Basic ${Buffer.from(`${username}:${password.reveal()}`).toString('base64')}`;
}

/** Undefined if the header is missing or its scheme is unsupported. */
export function parseChallenge(header: string | null): Challenge | undefined {
  const [, scheme = '', rest = ''] = /^\s*(\w+)\s*(.*)$/s.exec(header ?? '') ?? [];
  if (scheme.toLowerCase() === 'basic') return { kind: 'basic' };
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, unquoted = ''] of rest.matchAll(PARAMETER)) {
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? unquoted);
  }
  const realm = parameters.get('realm') ?? '';
  if (!URL.canParse(realm)) return undefined;
  return { kind: 'bearer', realm: new URL(realm), service: parameters.get('service') };
}
