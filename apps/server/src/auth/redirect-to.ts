import { z } from 'zod';
import type { AuthSettings } from './deps.ts';

/** Longer addresses are cut by browsers and mail programs. */
const ADDRESS_MAX_LENGTH = 2_000;

export const redirectToField = z.string().max(ADDRESS_MAX_LENGTH).nullish();

type Rules = Pick<AuthSettings, 'publicUrl' | 'allowedRedirects'>;

/**
 * Where a link may lead: to the console or an allowed address, or below one of them. Query and fragment do not
 * count. A `*` in an allowed address stands for a part of one label or one path segment. Answers nothing for any
 * other address; with none given, the console's own.
 */
export function allowedRedirect(
  redirectTo: string | null | undefined,
  { publicUrl, allowedRedirects }: Rules,
): string | undefined {
  if (redirectTo === null || redirectTo === undefined || redirectTo === '') return publicUrl;
  const target = parse(redirectTo);
  // A name before the host only serves to look like another host.
  if (target === undefined || target.username !== '' || target.password !== '') return undefined;
  const isAllowed = [publicUrl, ...allowedRedirects].some((address) => {
    const allowed = parse(address);
    return allowed !== undefined && leadsInto(target, allowed);
  });
  return isAllowed ? target.href : undefined;
}

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

function leadsInto(target: URL, allowed: URL): boolean {
  return (
    target.protocol === allowed.protocol &&
    target.port === allowed.port &&
    hasParts(target.hostname.split('.'), allowed.hostname.split('.'), 'all') &&
    hasParts(segments(target), segments(allowed), 'leading')
  );
}

function segments({ pathname }: URL): string[] {
  return pathname.replace(/\/$/, '').split('/');
}

function hasParts(parts: string[], patterns: string[], which: 'all' | 'leading'): boolean {
  if (which === 'all' && parts.length !== patterns.length) return false;
  return patterns.every((pattern, at) => matches(parts[at], pattern));
}

/** A star needs at least one character. */
function matches(part: string | undefined, pattern: string): boolean {
  if (part === undefined) return false;
  const [first = '', ...others] = pattern.split('*');
  if (others.length === 0) return part === first;
  const last = others.at(-1) ?? '';
  if (others.length > 1 || !part.startsWith(first) || !part.endsWith(last)) return false;
  return part.length > first.length + last.length;
}
