import { createHash } from 'node:crypto';
import { type Builder, BuilderFailed, streamFromBuilder } from './builder.ts';
import { createTarHeaderCounter } from './count-tar-headers.ts';
import { type BuiltImage, blobPath, InvalidImage, type Layer } from './image-layout.ts';
import { TAR_END, tarEntry, tarHeader, tarPadding } from './tar.ts';
import { createLayerUnpacker } from './unpack-layer.ts';

const MAX_RUNS = 3;

/** The unpacked layers are larger than allowed. */
export class ImageTooLarge extends Error {
  override readonly name = 'ImageTooLarge';
}

/**
 * How many of the first layers an engine has already, as part of other images of the same owner. Images of others do not count:
 * a user who knows the digest of a layer must not get its files.
 */
export function countPresentLayers(layers: Pick<Layer, 'diffId'>[], present: string[][]): number {
  const isPresent = (count: number) =>
    present.some((image) =>
      layers.slice(0, count).every(({ diffId }, index) => image[index] === diffId),
    );
  let count = 0;
  while (count < layers.length && isPresent(count + 1)) count += 1;
  return count;
}

export type ArchiveOptions = {
  /** The name that the image gets. Names in the result of a build are ignored. */
  name: string;
  /** The first layers, which the engine has already. */
  presentLayers: number;
  /** Of all unpacked layers that are sent. */
  max: ImageSize;
  /** Called with the unpacked size of each layer that is sent. */
  measured?(layer: Layer, bytes: number): void;
};

/** `files`: also folders and links. */
export type ImageSize = { bytes: number; files: number };

/** The image as an archive that `docker load` reads. */
export async function* imageArchive(
  builder: Builder,
  image: BuiltImage,
  { name, presentLayers, ...options }: ArchiveOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const config = fileName(image.config.digest);
  yield* tarEntry(config, image.config.bytes);
  yield* layerEntries(builder, image.layers.slice(presentLayers), options, signal);
  const Layers = image.layers.map(({ digest }) => fileName(digest));
  yield* tarEntry(
    'manifest.json',
    Buffer.from(JSON.stringify([{ Config: config, RepoTags: [name], Layers }])),
  );
  yield TAR_END;
}

/** The blob of a layer, which is checked while it is read. `size`: of the layers so far, to which this one is added. */
export async function* checkedLayer(
  builder: Builder,
  layer: Layer,
  { size, max }: { size: ImageSize; max: ImageSize },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const argv = ['cat', '--', blobPath(builder, layer.digest)] as const;
  const read = () => streamFromBuilder(builder, { argv }, signal);
  const reader = createExactReader(wholeOutput(read, layer.size));
  const meter = createMeter(layer, size, max);
  try {
    for await (const chunk of reader.read(layer.size)) {
      await meter.add(chunk);
      yield chunk;
    }
    await reader.finish();
    await meter.finish();
  } finally {
    meter.stop();
    await reader.close();
  }
}

function fileName(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}

/** All layers come from one program, one after the other. */
async function* layerEntries(
  builder: Builder,
  layers: Layer[],
  { max, measured }: Pick<ArchiveOptions, 'max' | 'measured'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const unique = uniqueLayers(layers, max);
  if (unique.length === 0) return;
  const paths = unique.map(({ digest }) => blobPath(builder, digest));
  const reader = createExactReader(
    streamFromBuilder(builder, { argv: ['cat', '--', ...paths] }, signal),
  );
  const size: ImageSize = { bytes: 0, files: 0 };
  try {
    for (const layer of unique) {
      yield tarHeader(fileName(layer.digest), layer.size);
      const bytesBefore = size.bytes;
      const meter = createMeter(layer, size, max);
      try {
        for await (const chunk of reader.read(layer.size)) {
          await meter.add(chunk);
          yield chunk;
        }
        await meter.finish();
        measured?.(layer, size.bytes - bytesBefore);
      } finally {
        meter.stop();
      }
      yield tarPadding(layer.size);
    }
    await reader.finish();
  } finally {
    await reader.close();
  }
}

/**
 * Each layer once. The same blob cannot be two different layers: only one would be checked. Layers that are too large already as they
 * are packed are refused before any of them is read.
 */
export function uniqueLayers(layers: Layer[], max: Pick<ImageSize, 'bytes'>): Layer[] {
  const unique = new Map<string, Layer>();
  for (const layer of layers) {
    const known = unique.get(layer.digest) ?? layer;
    const isSame =
      known.diffId === layer.diffId &&
      known.size === layer.size &&
      known.compression === layer.compression;
    if (!isSame) throw new InvalidImage('The image describes one layer in two ways');
    unique.set(layer.digest, layer);
  }
  const packedBytes = [...unique.values()].reduce((sum, { size }) => sum + size, 0);
  if (packedBytes > max.bytes) throw new ImageTooLarge();
  return [...unique.values()];
}

/**
 * Adds what a layer unpacks to. A few kilobytes may unpack to more than the disk of the machine. An engine uses a layer that it
 * has with this `diffId` without reading the archive, and finds out itself how a layer is packed, so both must be true: else an
 * image could name layers of others, or hide what it unpacks to.
 */
function createMeter({ compression, diffId }: Layer, size: ImageSize, max: ImageSize) {
  const headers = createTarHeaderCounter();
  const content = createHash('sha256');
  const filesBefore = size.files;
  let isTooLarge = false;
  const unpacker = createLayerUnpacker(compression, (bytes) => {
    headers.push(bytes);
    content.update(bytes);
    size.bytes += bytes.length;
    size.files = filesBefore + headers.count();
    isTooLarge ||= size.bytes > max.bytes || size.files > max.files;
    if (isTooLarge) unpacker.stop();
  });
  /** Of the previous chunk, so that unpacking and copying go on at the same time. */
  let unpacked = Promise.resolve();
  const check = async () => {
    await unpacked.catch((error: unknown) => {
      if (!isTooLarge) throw error;
    });
    if (isTooLarge) throw new ImageTooLarge();
  };
  return {
    async add(chunk: Buffer): Promise<void> {
      await check();
      unpacked = unpacker.push(chunk);
      // Thrown by the next check.
      unpacked.catch(() => {});
    },
    async finish(): Promise<void> {
      await check();
      unpacked = unpacker.end();
      await check();
      if (`sha256:${content.digest('hex')}` === diffId) return;
      throw new InvalidImage('A layer of the image does not have the digest it claims');
    },
    stop: unpacker.stop,
  };
}

/**
 * The output of a program that prints the same each time. A busy cluster may lose its end although the program succeeds: it then runs
 * again, and what arrived before is left out.
 */
async function* wholeOutput(run: () => AsyncIterable<Buffer>, size: number) {
  let arrived = 0;
  for (let runs = 0; runs < MAX_RUNS && arrived < size; runs += 1) {
    let known = arrived;
    for await (const chunk of run()) {
      const part = chunk.subarray(known);
      known = Math.max(0, known - chunk.length);
      arrived += part.length;
      if (part.length > 0) yield part;
    }
  }
}

/** Cuts a stream into parts of known sizes. */
function createExactReader(stream: AsyncGenerator<Buffer>) {
  let rest: Buffer = Buffer.alloc(0);

  async function next(): Promise<boolean> {
    const { done, value } = await stream.next();
    if (!done) rest = value;
    return done !== true;
  }

  return {
    async *read(size: number): AsyncGenerator<Buffer> {
      for (let missing = size; missing > 0; ) {
        if (rest.length === 0 && !(await next())) throw new BuilderFailed('A layer is too short');
        const part = rest.subarray(0, missing);
        rest = rest.subarray(part.length);
        missing -= part.length;
        if (part.length > 0) yield part;
      }
    },
    async finish(): Promise<void> {
      if (rest.length > 0 || (await next())) throw new BuilderFailed('A layer is too long');
    },
    async close(): Promise<void> {
      await stream.return(undefined);
    },
  };
}
