import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FileStore, StoredKey } from '../../src/storage/file-store.ts';

/** The contract of every file store. */
export function describeFileStore(name: string, open: () => Promise<FileStore>): void {
  describe(`${name} stores files`, () => {
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

    it('and reads them', async () => {
      const key = await store.write(chunksOf('hello ', 'world'));
      expect(await text(key)).toBe('hello world');
      expect(await keys()).toEqual([key]);
    });

    it.each([
      ['the beginning', { start: 0, end: 4 }, 'hello'],
      ['the middle', { start: 4, end: 6 }, 'o w'],
      ['one byte', { start: 10, end: 10 }, 'd'],
    ])('and reads %s alone', async (_, span, expected) => {
      expect(await text(await store.write(chunksOf('hello ', 'world')), span)).toBe(expected);
    });

    it('of any size', async () => {
      expect(await text(await store.write(chunksOf()))).toBe('');
      const large = 'x'.repeat(300_000);
      expect(await text(await store.write(chunksOf(large, large)))).toBe(large + large);
    });

    it('under a unique key each', async () => {
      const written = [await store.write(chunksOf('same')), await store.write(chunksOf('same'))];
      expect(new Set(written).size).toBe(2);
      expect((await keys()).sort()).toEqual(written.sort());
    });

    it('until they are removed, which may happen twice', async () => {
      const [key, other] = [await store.write(chunksOf('a')), await store.write(chunksOf('b'))];
      await store.remove(key);
      await store.remove(key);
      expect(await text(key)).toBeUndefined();
      expect(await keys()).toEqual([other]);
    });

    it('that can still be read after they are removed, by readers that opened them before', async () => {
      const key = await store.write(chunksOf('still here'));
      const reading = await store.read(key);
      await store.remove(key);
      expect(reading && String(await buffer(reading))).toBe('still here');
    });

    it('and nothing of an interrupted one', async () => {
      const cut = store.write(chunksOf('half', new Error('gone')));
      await expect(cut).rejects.toThrow('gone');
      expect(await keys()).toEqual([]);
    });

    it('with their times', async () => {
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
