import type { AuthError } from '@longshore/contract';
import type { AddressBar } from '../ports.ts';

export type UrlParameters =
  | { kind: 'none' }
  | { kind: 'token'; refreshToken: string }
  | { kind: 'needs-mfa'; ticket: string }
  | { kind: 'failed'; error: AuthError };

/**
 * Means that the provider's account is already linked. The sign-in itself succeeded (spec-map 7.2.28). It is the text of
 * the error, so it arrives in the description next to a code.
 */
const ALREADY_LINKED = 'social user already exists';

/** The account has a second factor. A ticket comes with the error (decision 71). */
const MFA_REQUIRED = 'mfa-required';

/** The parameters that a social sign-in or an email link adds to the URL (spec-map 7.2.27). */
export function readUrlParameters(href: string): UrlParameters {
  const parameter = parametersOf(href);
  const refreshToken = parameter('refreshToken');
  if (refreshToken !== undefined) return { kind: 'token', refreshToken };
  const error = parameter('error');
  if (error === undefined) return { kind: 'none' };
  const ticket = parameter('ticket');
  if (error === MFA_REQUIRED && ticket !== undefined) return { kind: 'needs-mfa', ticket };
  const message = parameter('errorDescription') ?? error;
  if (error === ALREADY_LINKED || message === ALREADY_LINKED) return { kind: 'none' };
  return { kind: 'failed', error: { status: 10, error, message } };
}

/** After sign-in, the refreshToken and type parameters are removed (spec-map 7.2.29), and a ticket that was used. */
export function withoutSessionParameters(href: string): string {
  const url = new URL(href);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const isInFragment = fragment.has('refreshToken');
  const isMfa = url.searchParams.get('error') === MFA_REQUIRED;
  const names = ['refreshToken', 'type', ...(isMfa ? ['error', 'errorDescription', 'ticket'] : [])];
  for (const name of names) {
    // Deleting a parameter that does not exist would rewrite the others.
    if (url.searchParams.has(name)) url.searchParams.delete(name);
    fragment.delete(name);
  }
  if (isInFragment) url.hash = fragment.toString();
  return url.href;
}

/** Resolves a path against the page's origin and keeps the current query parameters (spec-map 7.2.30). */
export function resolveRedirect(redirectTo: string, href: string): string {
  if (!redirectTo.startsWith('/')) return redirectTo;
  const current = new URL(withoutSessionParameters(href));
  const target = new URL(redirectTo, current.origin);
  const ownNames = new Set(target.searchParams.keys());
  for (const [name, value] of current.searchParams) {
    if (!ownNames.has(name)) target.searchParams.append(name, value);
  }
  return target.href;
}

/** Sign-in options with an absolute redirect URL. */
export function withResolvedRedirect<Options extends { redirectTo?: string }>(
  options: Options | undefined,
  addressBar: AddressBar | undefined,
): Options | undefined {
  if (options?.redirectTo === undefined || addressBar === undefined) return options;
  return { ...options, redirectTo: resolveRedirect(options.redirectTo, addressBar.href()) };
}

function parametersOf(href: string): (name: string) => string | undefined {
  const { searchParams, hash } = new URL(href);
  const fragment = new URLSearchParams(hash.slice(1));
  return (name) => searchParams.get(name) ?? fragment.get(name) ?? undefined;
}
