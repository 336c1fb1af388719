import { APP_NAME_MAX_LENGTH } from '@longshore/contract';

/** A name for the app of a repository: its last part, as spec §5 wants names. */
export function appNameOf(repository: string): string {
  const last = repository.slice(repository.lastIndexOf('/') + 1);
  const plain = last.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return plain
    .slice(0, APP_NAME_MAX_LENGTH + 1)
    .replace(/^-+|-+$/g, '')
    .slice(0, APP_NAME_MAX_LENGTH);
}
