import { MalformedForm } from './malformed-form.ts';

/** Reads bytes up to marks, holding no more of them than a chunk and a mark. */
export type ByteScanner = {
  /** What comes before the next mark, as it arrives. The mark itself is passed. Throws when there is none. */
  until(mark: Buffer): AsyncGenerator<Buffer>;
  /** The next bytes, without passing them. Fewer when the end comes first. */
  peek(count: number): Promise<Buffer>;
  skip(count: number): void;
};

export function createByteScanner(
  chunks: AsyncIterator<Uint8Array>,
  beginning: Buffer,
): ByteScanner {
  let held = beginning;
  return {
    async *until(mark) {
      for (;;) {
        const at = held.indexOf(mark);
        // The last bytes may be the first of the mark.
        const sure = at === -1 ? Math.max(held.length - mark.length + 1, 0) : at;
        const before = held.subarray(0, sure);
        held = held.subarray(at === -1 ? sure : at + mark.length);
        if (before.length > 0) yield before;
        if (at !== -1) return;
        if (!(await hold())) throw new MalformedForm('The form ended too early');
      }
    },
    async peek(count) {
      while (held.length < count && (await hold()));
      return held.subarray(0, count);
    },
    skip(count) {
      held = held.subarray(count);
    },
  };

  /** Answers false at the end. */
  async function hold(): Promise<boolean> {
    const { done, value } = await chunks.next();
    if (done) return false;
    held = held.length === 0 ? asBuffer(value) : Buffer.concat([held, value]);
    return true;
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
