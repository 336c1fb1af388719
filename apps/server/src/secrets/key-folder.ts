import { join } from 'node:path';
import { loadOrCreateKeyFile, readKeyFile, replaceKeyFile } from './key-file.ts';
import type { KeyStore } from './key-store.ts';

/** Keys as files in the data directory, which only one server uses. */
export function createKeyFolder(folder: string): KeyStore {
  const describe = (name: string) => join(folder, name);
  return {
    isShared: false,
    read: (name) => readKeyFile(folder, name),
    loadOrCreate: (name, create) => loadOrCreateKeyFile(folder, name, create),
    async update(name, change) {
      const text = await readKeyFile(folder, name);
      if (text === undefined) throw new Error(`${describe(name)} is missing`);
      const changed = await change(text);
      if (changed === undefined) return text;
      await replaceKeyFile(folder, name, changed);
      return changed;
    },
    describe,
  };
}
