/** A range of bytes, both ends included. */
export type ByteSpan = { start: number; end: number };

export type StoredKey = { key: string; writtenAt: number };

/** Stores bytes under keys that it generates, so that no user input becomes a path. The bytes of a key never change. */
export type FileStore = {
  /** Returns the key once all bytes would survive a power failure. If the chunks fail, nothing is stored. */
  write(chunks: AsyncIterable<Uint8Array>): Promise<string>;
  /** Undefined if the key does not exist. Cancelling the stream closes the file. */
  read(key: string, span?: ByteSpan): Promise<ReadableStream<Uint8Array> | undefined>;
  /** Does nothing if the key does not exist. */
  remove(key: string): Promise<void>;
  /** All keys, in batches. */
  list(): AsyncIterable<StoredKey[]>;
};

/** It may work again later. */
export class FileStoreDown extends Error {
  override name = 'FileStoreDown';
}

/** Writes to one store, and has the files of another one that was used before. */
export function withFormerStore(store: FileStore, former: FileStore): FileStore {
  return {
    write: store.write,
    read: async (key, span) => (await store.read(key, span)) ?? (await former.read(key, span)),
    async remove(key) {
      await store.remove(key);
      await former.remove(key);
    },
    async *list() {
      yield* store.list();
      yield* former.list();
    },
  };
}
