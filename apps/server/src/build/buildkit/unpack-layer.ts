import { createGunzip, createZstdDecompress } from 'node:zlib';
import { InvalidImage, type Layer } from './image-layout.ts';

/** Unpacks a layer whose bytes are pushed one chunk after the other. Rejects when it cannot be unpacked as its kind says. */
export type LayerUnpacker = {
  push(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  stop(): void;
};

/** Each costs as much as a small file. Archives with one for each file are common. */
const MAX_FRAMES = 1_000_000;
const MAGIC_BYTES = 6;
/** In hexadecimal digits. */
const MAGIC: [RegExp, Layer['compression'] | 'unsupported'][] = [
  [/^1f8b08/, 'gzip'],
  // The second one is a frame to skip.
  [/^28b52ffd|^5.2a4d18/, 'zstd'],
  // bzip2 and xz, which Docker unpacks as well.
  [/^425a68|^fd377a585a00/, 'unsupported'],
];

export function createLayerUnpacker(
  compression: Layer['compression'],
  onBytes: (bytes: Buffer) => void,
): LayerUnpacker {
  const unpacker = compression === 'none' ? copying(onBytes) : unpacking(compression, onBytes);
  let start = Buffer.alloc(0);
  return {
    async push(chunk) {
      if (start.length < MAGIC_BYTES)
        start = Buffer.concat([start, chunk]).subarray(0, MAGIC_BYTES);
      await unpacker.push(chunk);
    },
    async end() {
      if (compressionOf(start) !== compression)
        throw new InvalidImage('A layer of the image is not packed as it claims');
      await unpacker.end();
    },
    stop: unpacker.stop,
  };
}

/** As Docker finds it out, which ignores the kind that the image claims. */
function compressionOf(start: Buffer): Layer['compression'] | 'unsupported' {
  const text = start.toString('hex');
  return MAGIC.find(([magic]) => magic.test(text))?.[1] ?? 'none';
}

function copying(onBytes: (bytes: Buffer) => void): LayerUnpacker {
  return { push: async (chunk) => onBytes(chunk), end: async () => {}, stop: () => {} };
}

function unpacking(compression: 'gzip' | 'zstd', onBytes: (bytes: Buffer) => void): LayerUnpacker {
  let frames = 0;
  let frame = open();

  function open() {
    frames += 1;
    if (frames > MAX_FRAMES) throw damaged();
    const stream = compression === 'gzip' ? createGunzip() : createZstdDecompress();
    const state = {
      stream,
      hasFailed: false,
      closed: new Promise<void>((resolve) => stream.once('close', resolve)),
    };
    stream.on('data', onBytes);
    stream.on('error', () => {
      state.hasFailed = true;
    });
    return state;
  }

  return {
    async push(chunk) {
      // Node ends at the end of a zstd frame, Docker goes on with the next one.
      for (let rest = chunk; rest.length > 0; ) {
        const { stream, closed } = frame;
        const before = stream.bytesWritten;
        const written = new Promise<void>((resolve) => stream.write(rest, () => resolve()));
        // Bytes that cannot be unpacked are never reported as written.
        await Promise.race([written, closed]);
        if (frame.hasFailed) throw damaged();
        rest = rest.subarray(stream.bytesWritten - before);
        if (rest.length === 0) return;
        stream.destroy();
        frame = open();
      }
    },
    async end() {
      frame.stream.end();
      await frame.closed;
      if (frame.hasFailed) throw damaged();
    },
    stop() {
      frame.hasFailed = true;
      frame.stream.destroy();
    },
  };
}

function damaged(): InvalidImage {
  return new InvalidImage('A layer of the image cannot be unpacked');
}
