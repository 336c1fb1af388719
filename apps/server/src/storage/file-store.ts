/** Which bytes of a file, both ends included. */
export type ByteSpan = { start: number; end: number };

export type StoredKey = { key: string; writtenAt: number };

/**
 * Keeps bytes under keys of its own making, so that nothing a user types ever becomes a path. Bytes never change:
 * other content has another key.
 */
export type FileStore = {
  /** Answers the key once every byte would survive a power cut. When the chunks fail, nothing stays. */
  write(chunks: AsyncIterable<Uint8Array>): Promise<string>;
  /** Undefined when there is nothing under the key. Whoever cancels the stream frees what it holds. */
  read(key: string, span?: ByteSpan): Promise<ReadableStream<Uint8Array> | undefined>;
  /** An absent key is fine. */
  remove(key: string): Promise<void>;
  /** Everything there is, in bunches. */
  list(): AsyncIterable<StoredKey[]>;
};
