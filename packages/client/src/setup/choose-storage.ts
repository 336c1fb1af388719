import type { KeyValueStorage } from '../ports.ts';
import type { StorageChoice } from './session-storage.ts';

/** A storage that is at hand, or one of the types of spec §9, which is loaded first. */
export function chooseStorage(
  wish: KeyValueStorage | StorageChoice,
): KeyValueStorage | Promise<KeyValueStorage> {
  if ('getItem' in wish) return wish;
  return import('./session-storage.ts').then(({ openSessionStorage }) => openSessionStorage(wish));
}
