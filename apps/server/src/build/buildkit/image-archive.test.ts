import { createHash } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { VARIABLES_LABEL } from '../dockerfile.ts';
import type { Builder, BuilderCommand } from './builder.ts';
import { countPresentLayers, ImageTooLarge, imageArchive } from './image-archive.ts';
import { type BuiltImage, type Layer, readBuiltImage } from './image-layout.ts';
import { tarEntry } from './tar.ts';

const SIGNAL = new AbortController().signal;
const digestOf = (bytes: Uint8Array) =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** A builder whose only program is `cat`. Small chunks, to cut layers anywhere. */
function builderWith(blobs: Buffer[], changes: Record<string, Buffer> = {}): Builder {
  const files = new Map(blobs.map((blob) => [pathOf(digestOf(blob)), blob]));
  for (const [path, content] of Object.entries(changes)) files.set(path, content);
  return {
    folder: '/work',
    async start({ argv }: BuilderCommand) {
      const paths = argv.slice(1).filter((arg) => arg !== '--');
      const bytes = Buffer.concat(paths.map((path) => files.get(path) ?? Buffer.alloc(0)));
      async function* output() {
        for (let at = 0; at < bytes.length; at += 7) {
          yield { stream: 'output' as const, bytes: bytes.subarray(at, at + 7) };
        }
      }
      const isComplete = paths.every((path) => files.has(path));
      return { output: output(), exitCode: async () => (isComplete ? 0 : 1) };
    },
  };
}

function pathOf(digest: string): string {
  return `/work/image/blobs/${digest.replace(':', '/')}`;
}

function layerOf(blob: Buffer, compression: Layer['compression'], unpacked: Buffer): Layer {
  return { digest: digestOf(blob), size: blob.length, compression, diffId: digestOf(unpacked) };
}

function imageOf(layers: Layer[]): BuiltImage {
  const bytes = Buffer.from('{"a":"configuration"}');
  return { architecture: 'amd64', config: { digest: digestOf(bytes), bytes }, layers };
}

async function read(archive: AsyncIterable<Uint8Array>): Promise<Map<string, string>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  expect(bytes.length % 512).toBe(0);
  const files = new Map<string, string>();
  for (let at = 0; bytes[at] !== 0; ) {
    const name = bytes.toString('latin1', at, bytes.indexOf(0, at));
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8);
    files.set(name, bytes.toString('latin1', at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

const options = { name: 'longshore-1/app:2', presentLayers: 0, max: { bytes: 10_000, files: 3 } };
const plain = Buffer.from('files of a layer');
const unpacked = Buffer.alloc(3000, 'x');
const packed = gzipSync(unpacked);
const bzip2 = Buffer.from('BZh91AY&SY');
/** A frame to skip, then two frames. */
const twoFrames = Buffer.concat([
  Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]),
  zstdCompressSync(unpacked),
  zstdCompressSync(unpacked),
]);
const followed = Buffer.concat([zstdCompressSync(unpacked), Buffer.from('something else')]);

describe('the archive of an image', () => {
  it('has the configuration, the layers and only the name that it is given', async () => {
    const zstd = zstdCompressSync(unpacked);
    const layers = [
      layerOf(plain, 'none', plain),
      layerOf(packed, 'gzip', unpacked),
      layerOf(zstd, 'zstd', unpacked),
    ];
    const image = imageOf(layers);
    const builder = builderWith([plain, packed, zstd]);
    const files = await read(imageArchive(builder, image, options, SIGNAL));
    const names = layers.map(({ digest }) => `blobs/${digest.replace(':', '/')}`);
    const config = `blobs/${image.config.digest.replace(':', '/')}`;
    expect([...files.keys()]).toEqual([config, ...names, 'manifest.json']);
    expect(files.get(names[0] ?? '')).toBe(plain.toString());
    expect(files.get(names[1] ?? '')).toBe(packed.toString('latin1'));
    expect(JSON.parse(files.get('manifest.json') ?? '')).toEqual([
      { Config: config, RepoTags: ['longshore-1/app:2'], Layers: names },
    ]);
  });

  it('leaves out layers that are present, but names them', async () => {
    const layers = [layerOf(plain, 'none', plain), layerOf(packed, 'gzip', unpacked)];
    const archive = imageArchive(
      builderWith([packed]),
      imageOf(layers),
      { ...options, presentLayers: 1 },
      SIGNAL,
    );
    const files = await read(archive);
    expect(files.size).toBe(3);
    expect(JSON.parse(files.get('manifest.json') ?? '')[0].Layers).toHaveLength(2);
  });

  it('sends a layer that occurs twice once', async () => {
    const layers = [layerOf(plain, 'none', plain), layerOf(plain, 'none', plain)];
    const files = await read(imageArchive(builderWith([plain]), imageOf(layers), options, SIGNAL));
    expect(files.size).toBe(3);
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(1_000_000))],
    ['zstd', zstdCompressSync(Buffer.alloc(1_000_000))],
    ['none', Buffer.alloc(20_000)],
  ] as const)(
    'breaks off when layers (%s) unpack to more than allowed',
    async (compression, blob) => {
      const image = imageOf([layerOf(blob, compression, blob)]);
      const archive = imageArchive(builderWith([blob]), image, options, SIGNAL);
      await expect(read(archive)).rejects.toThrow(ImageTooLarge);
    },
  );

  it('breaks off when layers have more files than allowed', async () => {
    const tar = Buffer.concat(
      ['a', 'b'].flatMap((name) => [...tarEntry(name, Buffer.alloc(0))]).map(Buffer.from),
    );
    const other = Buffer.concat([tar, Buffer.alloc(512)]);
    const image = imageOf([layerOf(tar, 'none', tar), layerOf(other, 'none', other)]);
    const archive = imageArchive(builderWith([tar, other]), image, options, SIGNAL);
    await expect(read(archive)).rejects.toThrow(ImageTooLarge);
  });

  it('counts all layers together', async () => {
    const contents = [1, 2, 3, 4].map((number) => Buffer.alloc(3_000, number));
    const blobs = contents.map((content) => gzipSync(content));
    const image = imageOf(contents.map((content) => layerOf(gzipSync(content), 'gzip', content)));
    const archive = imageArchive(builderWith(blobs), image, options, SIGNAL);
    await expect(read(archive)).rejects.toThrow(ImageTooLarge);
  });

  it.each([
    ['is not packed as announced', layerOf(plain, 'gzip', plain), plain],
    ['is packed although it is announced as plain', layerOf(packed, 'none', packed), packed],
    ['is packed by a program that only Docker knows', layerOf(bzip2, 'none', bzip2), bzip2],
    ['has the digest of a layer of others', layerOf(packed, 'gzip', plain), packed],
    ['ends after its first frame', layerOf(twoFrames, 'zstd', unpacked), twoFrames],
    ['has bytes behind its end', layerOf(followed, 'zstd', unpacked), followed],
  ])('breaks off when a layer %s', async (_, layer, blob) => {
    const archive = imageArchive(builderWith([blob]), imageOf([layer]), options, SIGNAL);
    await expect(read(archive)).rejects.toMatchObject({ name: 'InvalidImage' });
  });

  it('breaks off when the image describes one layer in two ways', async () => {
    const layers = [layerOf(plain, 'none', plain), layerOf(plain, 'none', unpacked)];
    const archive = imageArchive(builderWith([plain]), imageOf(layers), options, SIGNAL);
    await expect(read(archive)).rejects.toMatchObject({ name: 'InvalidImage' });
  });

  it('unpacks all frames of a layer', async () => {
    const content = Buffer.concat([unpacked, unpacked]);
    const layers = [layerOf(twoFrames, 'zstd', content)];
    const files = await read(
      imageArchive(builderWith([twoFrames]), imageOf(layers), options, SIGNAL),
    );
    expect(files.size).toBe(3);
    const small = { ...options, max: { ...options.max, bytes: 5_000 } };
    const archive = imageArchive(builderWith([twoFrames]), imageOf(layers), small, SIGNAL);
    await expect(read(archive)).rejects.toThrow(ImageTooLarge);
  });

  it.each([
    ['is shorter than announced', { ...layerOf(plain, 'none', plain), size: 99 }, plain],
    [
      'is longer than announced',
      { ...layerOf(plain, 'none', plain.subarray(0, 3)), size: 3 },
      plain,
    ],
  ])('breaks off when a layer %s', async (_, layer, blob) => {
    const archive = imageArchive(builderWith([blob]), imageOf([layer]), options, SIGNAL);
    await expect(read(archive)).rejects.toMatchObject({ name: 'BuilderFailed' });
  });
});

describe('the layers that an engine has', () => {
  const layers = ['a', 'b', 'c'].map((diffId) => ({ diffId }));
  it.each([
    [[], 0],
    [[['a', 'b', 'x']], 2],
    [[['a'], ['a', 'b', 'c', 'd']], 3],
    [[['b', 'c']], 0],
    [[['a'], ['x', 'b']], 1],
  ])('of %j are %d', (present, count) => {
    expect(countPresentLayers(layers, present)).toBe(count);
  });
});

describe('the result of a build', () => {
  const configOf = (diffIds: string[] | null) =>
    Buffer.from(JSON.stringify({ architecture: 'arm64', rootfs: { diff_ids: diffIds } }));
  const config = configOf([digestOf(unpacked)]);
  const odd = Buffer.from(config.toString().replace('arm64', 'arm\\n64'));
  const layer = {
    digest: digestOf(packed),
    size: packed.length,
    mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
  };
  const manifestWith = (changes: object = {}) =>
    Buffer.from(
      JSON.stringify({
        config: { digest: digestOf(config), size: config.length, mediaType: 'x' },
        layers: [layer],
        ...changes,
      }),
    );
  const builderOf = (manifest: Buffer, index?: object, content = config) => {
    const descriptor = { digest: digestOf(manifest), size: manifest.length, mediaType: 'x' };
    const text = JSON.stringify(index ?? { manifests: [descriptor] });
    return builderWith([manifest, content, odd], { '/work/image/index.json': Buffer.from(text) });
  };

  it('is read', async () => {
    expect(await readBuiltImage(builderOf(manifestWith()), SIGNAL)).toMatchObject({
      architecture: 'arm64',
      layers: [layerOf(packed, 'gzip', unpacked)],
    });
  });

  it('keeps its settings, except those that bypass the limits of containers', async () => {
    const settings = { Cmd: ['sh'], Env: ['A=b'] };
    const content = Buffer.from(
      JSON.stringify({
        ...JSON.parse(config.toString()),
        // With a long s, which is the same letter to Docker.
        rootfſ: { diff_ids: [digestOf(plain)] },
        Config: { Volumes: { '/other': {} } },
        config: {
          ...settings,
          Volumes: { '/data': {} },
          VOLUMES: { '/other': {} },
          Healthcheck: { Test: ['CMD', 'true'], Interval: 1_000_000 },
          Labels: { 'dev.longshore.port': '22', [VARIABLES_LABEL]: '', maintainer: 'Ada' },
        },
      }),
    );
    const descriptor = { digest: digestOf(content), size: content.length, mediaType: 'x' };
    const builder = builderOf(manifestWith({ config: descriptor }), undefined, content);
    const { bytes, digest } = (await readBuiltImage(builder, SIGNAL)).config;
    expect(digest).toBe(digestOf(bytes));
    expect(JSON.parse(bytes.toString())).toEqual({
      architecture: 'arm64',
      rootfs: { type: 'layers', diff_ids: [digestOf(unpacked)] },
      config: { ...settings, Labels: { [VARIABLES_LABEL]: '', maintainer: 'Ada' } },
    });
  });

  it.each([
    ['has several images', undefined, { manifests: [] }],
    [
      'has a digest that leaves the folder',
      undefined,
      { manifests: [{ digest: 'sha256:../../x', size: 1, mediaType: 'x' }] },
    ],
    [
      'is made for a machine whose name has two lines',
      { config: { digest: digestOf(odd), size: odd.length, mediaType: 'x' } },
      undefined,
    ],
    ['has a layer of negative size', { layers: [{ ...layer, size: -1 }] }, undefined],
  ])('is refused when it %s', async (_, changes, index) => {
    const builder = builderOf(manifestWith(changes), index);
    await expect(readBuiltImage(builder, SIGNAL)).rejects.toMatchObject({ name: 'InvalidImage' });
  });

  it.each([
    ['has more layers than its configuration', { layers: [layer, layer] }, config],
    [
      'has a layer of another kind',
      { layers: [{ ...layer, mediaType: 'application/x-encrypted' }] },
      config,
    ],
    ['is empty', { layers: null }, configOf(null)],
    [
      'has too many layers',
      { layers: Array(128).fill(layer) },
      configOf(Array(128).fill(digestOf(unpacked))),
    ],
  ])('is refused with a message when it %s', async (_, changes, content) => {
    const descriptor = { digest: digestOf(content), size: content.length, mediaType: 'x' };
    const manifest = manifestWith({ config: descriptor, ...changes });
    const builder = builderOf(manifest, undefined, content);
    await expect(readBuiltImage(builder, SIGNAL)).rejects.toMatchObject({ name: 'InvalidImage' });
  });
});
