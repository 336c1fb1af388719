import { z } from 'zod';
import { AuthProblem } from './auth-problem.ts';
import type { AuthSettings } from './deps.ts';

/** Browsers and mail clients truncate longer URLs. */
const URL_MAX_LENGTH = 2_000;

export const redirectToField = z.string().max(URL_MAX_LENGTH).nullish();

type RedirectSettings = Pick<AuthSettings, 'publicUrl' | 'allowedRedirects'>;

/** Like `allowedRedirect`, but throws `redirectTo-not-allowed`. */
export function requireAllowedRedirect(
  options: { redirectTo?: string | null | undefined } | null | undefined,
  settings: RedirectSettings,
): string {
  const target = allowedRedirect(options?.redirectTo, settings);
  if (target === undefined) throw new AuthProblem('redirectTo-not-allowed');
  return target;
}

/**
 * Returns the redirect target if it is the console's URL, an allowed URL, or below one of them; undefined otherwise.
 * Query and fragment are ignored. A `*` in an allowed URL matches a part of one host label or one path segment.
 * Without `redirectTo`, the target is the console.
 */
export function allowedRedirect(
  redirectTo: string | null | undefined,
  { publicUrl, allowedRedirects }: RedirectSettings,
): string | undefined {
  if (redirectTo === null || redirectTo === undefined || redirectTo === '') return publicUrl;
  const target = parse(redirectTo);
  // Attackers use credentials in a URL to disguise its host.
  if (target === undefined || target.username !== '' || target.password !== '') return undefined;
  const isAllowed = [publicUrl, ...allowedRedirects].some((address) => {
    const allowed = parse(address);
    return allowed !== undefined && isBelow(target, allowed);
  });
  return isAllowed ? target.href : undefined;
}

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

function isBelow(target: URL, allowed: URL): boolean {
  return (
    target.protocol === allowed.protocol &&
    target.port === allowed.port &&
    matchesParts(target.hostname.split('.'), allowed.hostname.split('.'), 'all') &&
    matchesParts(segments(target), segments(allowed), 'leading')
  );
}

function segments({ pathname }: URL): string[] {
  return pathname.replace(/\/$/, '').split('/');
}

function matchesParts(parts: string[], patterns: string[], which: 'all' | 'leading'): boolean {
  if (which === 'all' && parts.length !== patterns.length) return false;
  return patterns.every((pattern, index) => matchesPart(parts[index], pattern));
}

/** A `*` matches at least one character. */
function matchesPart(part: string | undefined, pattern: string): boolean {
  if (part === undefined) return false;
  const [first = '', ...others] = pattern.split('*');
  if (others.length === 0) return part === first;
  const last = others.at(-1) ?? '';
  if (others.length > 1 || !part.startsWith(first) || !part.endsWith(last)) return false;
  return part.length > first.length + last.length;
}
