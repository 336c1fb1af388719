import { isRecord } from '@longshore/contract';
import type { OutboundFetch } from '../../outbound/outbound-fetch.ts';
import type { Secret } from '../../secrets/secret.ts';
import { type Challenge, parseChallenge } from './challenge.ts';

export type RegistryLogin = { username: string; password: Secret };

/** What a registry says to a user name and a password. */
export type RegistryVerdict =
  | 'accepted'
  | 'refused'
  | 'no-registry'
  | 'rate-limited'
  | 'out-of-order';

type Ask = (url: URL, authorization?: string) => Promise<Response>;

/** Signs in as `docker login` does: asks what the registry wants, and brings it. Throws when nobody answers. */
export async function checkRegistry(
  address: string,
  login: RegistryLogin,
  { fetch, signal }: { fetch: OutboundFetch; signal: AbortSignal },
): Promise<RegistryVerdict> {
  const root = new URL(`${address}/v2/`);
  const ask: Ask = (url, authorization) =>
    fetch(url.href, {
      signal,
      headers: { 'user-agent': 'longshore', ...(authorization && { authorization }) },
    });
  const asked = await ask(root);
  // Some let anybody in at the door, and still know whose password is wrong.
  if (asked.ok) return verdictOf(await ask(root, basic(login)));
  if (asked.status !== 401) return verdictOf(asked);
  const challenge = parseChallenge(asked.headers.get('www-authenticate'));
  if (challenge === undefined || isDowngrade(root, challenge)) return 'no-registry';
  if (challenge.kind === 'basic') return verdictOf(await ask(root, basic(login)));
  const answer = await ask(tokenAddress(challenge, login.username), basic(login));
  if (!answer.ok) return verdictOf(answer);
  const token = tokenOf(await answer.json().catch(() => undefined));
  return token === undefined ? 'no-registry' : verdictOf(await ask(root, `Bearer ${token}`));
}

function verdictOf({ ok, status }: Response): RegistryVerdict {
  if (ok) return 'accepted';
  if (status === 401 || status === 403) return 'refused';
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'out-of-order' : 'no-registry';
}

/** A registry behind https may not have the password sent in the open. */
function isDowngrade({ protocol }: URL, challenge: Challenge): boolean {
  if (challenge.kind === 'basic') return false;
  const allowed = protocol === 'https:' ? ['https:'] : ['https:', 'http:'];
  return !allowed.includes(challenge.realm.protocol);
}

function tokenAddress(
  { realm, service }: Extract<Challenge, { kind: 'bearer' }>,
  username: string,
): URL {
  const address = new URL(realm);
  if (service !== undefined) address.searchParams.set('service', service);
  address.searchParams.set('account', username);
  return address;
}

function tokenOf(answer: unknown): string | undefined {
  const { token, access_token } = isRecord(answer) ? answer : {};
  // What it holds becomes a header.
  return [token, access_token].find(
    (candidate): candidate is string =>
      typeof candidate === 'string' && /^[\x21-\x7e]+$/.test(candidate),
  );
}

function basic({ username, password }: RegistryLogin): string {
  return `Basic ${Buffer.from(`${username}:${password.reveal()}`).toString('base64')}`;
}
