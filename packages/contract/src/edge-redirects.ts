import { autoDomain, customDomainsOf, type NamedApp, normalizedDomain } from './domain.ts';
import { invalid, type Parsed, valid } from './parsed.ts';
import { isRecord } from './type-guards.ts';

/** Requests for the host `from` are redirected to the origin `to`, with their path and query. */
export type Redirect = { from: string; to: string };

const MAX_REDIRECTS = 50;
const FIELD = 'edge.redirects';
const TARGET = 'The target must look like https://www.example.com, without a path';

export function parseRedirects(value: unknown): Parsed<Redirect[] | undefined> {
  if (!Array.isArray(value)) return invalid(FIELD, 'Redirects must be a list');
  if (value.length > MAX_REDIRECTS) {
    return invalid(FIELD, `At most ${MAX_REDIRECTS} redirects are allowed`);
  }
  const redirects: Redirect[] = [];
  for (const redirect of value) {
    const { from, to, ...others } = isRecord(redirect) ? redirect : {};
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) return invalid(FIELD, `Unknown setting ${JSON.stringify(unknown)}`);
    if (typeof from !== 'string' || typeof to !== 'string') {
      return invalid(FIELD, 'A redirect must have the texts from and to');
    }
    const target = redirectTarget(to);
    if (target === undefined) return invalid(FIELD, `${JSON.stringify(to)}: ${TARGET}`);
    redirects.push({ from: normalizedDomain(from), to: target });
  }
  const problem = listProblem(redirects);
  if (problem !== undefined) return invalid(FIELD, problem);
  return valid(redirects.length === 0 ? undefined : redirects);
}

type RedirectingApp = NamedApp & Parameters<typeof customDomainsOf>[0];

/** The hosts that an app can redirect: its custom domains and its generated address. */
export function ownHosts(app: RedirectingApp, baseDomain: string): string[] {
  return [...customDomainsOf(app), autoDomain(app, baseDomain)];
}

/**
 * Why the app cannot have these redirects. `stored`: the hosts it redirected before; one that it lost since has no effect,
 * and must not prevent other edits.
 */
export function foreignRedirectProblem(
  redirects: readonly Redirect[],
  hosts: readonly string[],
  stored: readonly string[] = [],
): string | undefined {
  const foreign = redirects.find(({ from }) => !hosts.includes(from) && !stored.includes(from));
  return foreign && `${JSON.stringify(foreign.from)} is not a domain of this app`;
}

/** The origin of an http or https URL that names nothing but a host. */
function redirectTarget(to: string): string | undefined {
  const text = to.trim();
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { username, password, pathname, search, hash, origin } = url;
  const isOrigin = [username, password, search, hash].every((part) => part === '');
  // An empty query or fragment leaves its sign in the text.
  return isOrigin && pathname === '/' && !/[?#@\\]/.test(text) ? origin : undefined;
}

function listProblem(redirects: readonly Redirect[]): string | undefined {
  const targets = new Map<string, string>();
  for (const { from, to } of redirects) {
    if (from === '') return 'The domain to redirect is required';
    if (targets.has(from)) return `${from} is redirected twice`;
    targets.set(from, new URL(to).hostname);
  }
  for (const from of targets.keys()) {
    const hosts = [from];
    for (let host = targets.get(from); host !== undefined; host = targets.get(host)) {
      hosts.push(host);
      if (host === from) return `The redirects form a loop: ${hosts.join(' → ')}`;
      if (hosts.length > targets.size + 1) break;
    }
  }
  return undefined;
}
