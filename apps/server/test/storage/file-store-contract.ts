import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FileStore, StoredKey } from '../../src/storage/file-store.ts';

/** What every file store does, whatever it keeps its bytes on. */
export function describeFileStore(name: string, open: () => Promise<FileStore>): void {
  describe(`${name} keeps files`, () => {
    let store: FileStore;
    beforeEach(async () => {
      store = await open();
    });

    const keys = async () => (await listed()).map(({ key }) => key);
    async function listed(): Promise<StoredKey[]> {
      const found: StoredKey[] = [];
      for await (const bunch of store.list()) found.push(...bunch);
      return found;
    }
    const text = async (...args: Parameters<FileStore['read']>) => {
      const bytes = await store.read(...args);
      return bytes === undefined ? undefined : String(await buffer(bytes));
    };

    it('and gives back what it was given', async () => {
      const key = await store.write(chunksOf('hello ', 'world'));
      expect(await text(key)).toBe('hello world');
      expect(await keys()).toEqual([key]);
    });

    it.each([
      ['the beginning', { start: 0, end: 4 }, 'hello'],
      ['the middle', { start: 4, end: 6 }, 'o w'],
      ['one byte', { start: 10, end: 10 }, 'd'],
    ])('and gives back %s alone', async (_, span, expected) => {
      expect(await text(await store.write(chunksOf('hello ', 'world')), span)).toBe(expected);
    });

    it('of no byte and of many', async () => {
      expect(await text(await store.write(chunksOf()))).toBe('');
      const large = 'x'.repeat(300_000);
      expect(await text(await store.write(chunksOf(large, large)))).toBe(large + large);
    });

    it('under a key of its own each', async () => {
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

    it('for whoever already reads them, removed or not', async () => {
      const key = await store.write(chunksOf('still here'));
      const reading = await store.read(key);
      await store.remove(key);
      expect(reading && String(await buffer(reading))).toBe('still here');
    });

    it('and nothing of one that was cut off', async () => {
      const cut = store.write(chunksOf('half', new Error('gone')));
      await expect(cut).rejects.toThrow('gone');
      expect(await keys()).toEqual([]);
    });

    it('with the time each was written', async () => {
      const before = Date.now();
      await store.write(chunksOf('a'));
      const [stored] = await listed();
      // A file system may round to its own ticks.
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
