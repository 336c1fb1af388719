import { ProviderFailure } from './provider-failure.ts';

/** Letters, digits, `_`, `.` and `-` between slashes, as all providers have it. */
const NAME = /^[\p{L}\p{N}_.-]{1,255}(?:\/[\p{L}\p{N}_.-]{1,255}){1,20}$/u;
const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * The parts of a repository's name, for the path of an API. What is no name is a repository that does not exist:
 * asked for, it could mean something else there, such as an id.
 */
export function repositoryParts(name: string): string[] {
  if (!NAME.test(name) || DOTS.test(name)) throw new ProviderFailure('not-found');
  return name.split('/');
}

/** `owner/name`, where there are no groups within groups. */
export function ownedRepository(name: string): string {
  const parts = repositoryParts(name);
  if (parts.length !== 2) throw new ProviderFailure('not-found');
  return parts.map(encodeURIComponent).join('/');
}
