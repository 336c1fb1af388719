import { ProviderFailure } from './provider-failure.ts';

/** Letters, digits, `_`, `.` and `-`, separated by slashes: valid at all providers. */
const NAME = /^[\p{L}\p{N}_.-]{1,255}(?:\/[\p{L}\p{N}_.-]{1,255}){1,20}$/u;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * The parts of a repository's name, for the path of an API. An invalid name is treated as not found: sent to the
 * provider, it could have another meaning, such as an id.
 */
export function repositoryParts(name: string): string[] {
  if (!NAME.test(name) || DOT_SEGMENT.test(name)) throw new ProviderFailure('not-found');
  return name.split('/');
}

/** The encoded `owner/name`, for providers without nested groups. */
export function ownedRepository(name: string): string {
  const parts = repositoryParts(name);
  if (parts.length !== 2) throw new ProviderFailure('not-found');
  return parts.map(encodeURIComponent).join('/');
}
