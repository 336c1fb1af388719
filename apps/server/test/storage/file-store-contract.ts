import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FileStore, StoredKey } from '../../src/storage/file-store.ts';

/** The contract of every file store. */
export function describeFileStore(name: string, open: () => Promise<FileStore>): void {
  describe(name, () => {
    let store: FileStore;
    beforeEach(async () => {
      store = await open();
    });

    const keys = async () => (await listed()).map(({ key }) => key);
    async function listed(): Promise<StoredKey[]> {
      const found: StoredKey[] = [];
      for await (const batch of store.list()) found.push(...batch);
      return found;
    }
    const text = async (...args: Parameters<FileStore['read']>) => {
      const bytes = await store.read(...args);
      return bytes === undefined ? undefined : String(await buffer(bytes));
    };

    it('reads a stored file', async () => {
      const key = await store.write(chunksOf('hello ', 'world'));
      expect(await text(key)).toBe('hello world');
      expect(await keys()).toEqual([key]);
    });

    it.each([
      ['the beginning', { start: 0, end: 4 }, 'hello'],
      ['the middle', { start: 4, end: 6 }, 'o w'],
      ['one byte', { start: 10, end: 10 }, 'd'],
    ])('reads %s of a file', async (_, span, expected) => {
      expect(await text(await store.write(chunksOf('hello ', 'world')), span)).toBe(expected);
    });

    it('stores empty and large files', async () => {
      expect(await text(await store.write(chunksOf()))).toBe('');
      const large = 'x'.repeat(300_000);
      expect(await text(await store.write(chunksOf(large, large)))).toBe(large + large);
    });

    it('stores equal files under different keys', async () => {
      const written = [await store.write(chunksOf('same')), await store.write(chunksOf('same'))];
      expect(new Set(written).size).toBe(2);
      expect((await keys()).sort()).toEqual(written.sort());
    });

    it('removes a file, and ignores a second removal', async () => {
      const [key, other] = [await store.write(chunksOf('a')), await store.write(chunksOf('b'))];
      await store.remove(key);
      await store.remove(key);
      expect(await text(key)).toBeUndefined();
      expect(await keys()).toEqual([other]);
    });

    it('lets readers that opened a file before its removal read it to the end', async () => {
      const key = await store.write(chunksOf('still here'));
      const reading = await store.read(key);
      await store.remove(key);
      expect(reading && String(await buffer(reading))).toBe('still here');
    });

    it('stores nothing of an interrupted write', async () => {
      const interrupted = store.write(chunksOf('half', new Error('gone')));
      await expect(interrupted).rejects.toThrow('gone');
      expect(await keys()).toEqual([]);
    });

    it('lists when each file was written', async () => {
      const before = Date.now();
      await store.write(chunksOf('a'));
      const [stored] = await listed();
      // File systems round times.
      expect(Math.abs((stored?.writtenAt ?? 0) - before)).toBeLessThan(60_000);
    });
  });
}

export async function* chunksOf(...parts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}
