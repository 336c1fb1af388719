const BUFFER_BYTES = 256 * 1024;
export const SHARED_BYTES = 16 * 1024;
/** When all are in use, large bodies are read into the shared buffer, and copied. */
const MAX_BUFFERS = 48;
const MAX_FREE = 16;

/** A buffer that is written to visitors without a copy, and read into again when all its writes are done. */
export type BodyBuffer = {
  readonly bytes: Buffer;
  /** Writes that are not done. */
  uses: number;
  /** No connection reads into it any more. */
  isReturned: boolean;
  /** The callback of each write. */
  readonly release: () => void;
};

/** Buffers that connections to apps read into. */
export type BodyBuffers = {
  /** For everything that is copied or decoded at once. */
  readonly shared: Buffer;
  /** Undefined: all are in use. */
  take(): BodyBuffer | undefined;
  giveBack(buffer: BodyBuffer): void;
};

export function createBodyBuffers(): BodyBuffers {
  const free: BodyBuffer[] = [];
  let existing = 0;
  // The callback of a write may be lost with its connection, and a buffer with it.
  const collected = new FinalizationRegistry(() => {
    existing -= 1;
  });

  function create(): BodyBuffer {
    const buffer: BodyBuffer = {
      bytes: Buffer.allocUnsafeSlow(BUFFER_BYTES),
      uses: 0,
      isReturned: false,
      release() {
        buffer.uses -= 1;
        if (buffer.uses === 0 && buffer.isReturned) recycle(buffer);
      },
    };
    existing += 1;
    collected.register(buffer, undefined);
    return buffer;
  }

  function recycle(buffer: BodyBuffer): void {
    if (free.length < MAX_FREE) free.push(buffer);
  }

  return {
    shared: Buffer.allocUnsafeSlow(SHARED_BYTES),
    take() {
      const buffer = free.pop() ?? (existing < MAX_BUFFERS ? create() : undefined);
      if (buffer !== undefined) buffer.isReturned = false;
      return buffer;
    },
    giveBack(buffer) {
      buffer.isReturned = true;
      if (buffer.uses === 0) recycle(buffer);
    },
  };
}
