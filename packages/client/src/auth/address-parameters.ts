import type { AuthError } from '@longshore/contract';

export type AddressParameters =
  | { kind: 'none' }
  | { kind: 'token'; refreshToken: string }
  | { kind: 'failed'; error: AuthError };

/** Told when a provider's account is already connected; the sign-in itself is fine. Spec §7. */
const HARMLESS_ERROR = 'social user already exists';

/** What a social sign-in or a mail link left in the address. Spec §7, Address handling. */
export function readAddress(href: string): AddressParameters {
  const parameter = parametersOf(href);
  const refreshToken = parameter('refreshToken');
  if (refreshToken !== undefined) return { kind: 'token', refreshToken };
  const error = parameter('error');
  if (error === undefined || error === HARMLESS_ERROR) return { kind: 'none' };
  return {
    kind: 'failed',
    error: { status: 10, error, message: parameter('errorDescription') ?? error },
  };
}

/** Spec §7: after sign-in the refreshToken and type parameters are removed. */
export function withoutSessionParameters(href: string): string {
  const address = new URL(href);
  const fragment = new URLSearchParams(address.hash.slice(1));
  const isInFragment = fragment.has('refreshToken');
  for (const name of ['refreshToken', 'type']) {
    address.searchParams.delete(name);
    fragment.delete(name);
  }
  if (isInFragment) address.hash = fragment.toString();
  return address.href;
}

/** Spec §7: a path is resolved against our own origin, keeping the current query parameters. */
export function resolveRedirect(redirectTo: string, href: string): string {
  if (!redirectTo.startsWith('/')) return redirectTo;
  const current = new URL(withoutSessionParameters(href));
  const target = new URL(redirectTo, current.origin);
  for (const [name, value] of current.searchParams) {
    if (!target.searchParams.has(name)) target.searchParams.append(name, value);
  }
  return target.href;
}

function parametersOf(href: string): (name: string) => string | undefined {
  const { searchParams, hash } = new URL(href);
  const fragment = new URLSearchParams(hash.slice(1));
  return (name) => searchParams.get(name) ?? fragment.get(name) ?? undefined;
}
