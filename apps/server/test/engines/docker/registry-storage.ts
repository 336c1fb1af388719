import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { streamOutput } from '../../../src/processes/stream-output.ts';

/** An image in the storage of a registry. */
export type StoredImage = { digest: string; layers: Layer[]; settings: ImageSettings };

/** A layer whose archive is in the storage of a registry. */
export type Layer = Descriptor & { diffId: string };

type Descriptor = { mediaType: string; digest: string; size: number };

/** The `config` of an image: https://github.com/opencontainers/image-spec/blob/main/config.md */
export type ImageSettings = {
  Env?: string[];
  User?: string;
  Entrypoint?: string[];
  Cmd?: string[];
  WorkingDir?: string;
  Volumes?: Record<string, object>;
};

export type NewImage = {
  /** Without a host, with a tag. */
  name: string;
  layers: Layer[];
  settings?: ImageSettings;
  architecture?: string | undefined;
};

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar';
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Writes a layer into the storage folder of a docker-registry, which may be running. `fill` creates the files of the layer.
 * Without compression, a large layer is pulled in half the time.
 */
export async function storeLayer(
  storage: string,
  fill: (root: string) => Promise<void>,
  { isCompressed = true } = {},
): Promise<Layer> {
  const root = await mkdtemp(join(tmpdir(), 'longshore-image-'));
  try {
    await chmod(root, 0o755);
    await fill(root);
    return await pack(storage, root, isCompressed);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function pack(storage: string, root: string, isCompressed: boolean): Promise<Layer> {
  const argv = [
    'tar',
    ...['--create', '--format=posix', '--numeric-owner', '--sort=name'],
    ...['--xattrs', '--xattrs-include=*', '-C', root, '.'],
  ] as const;
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const archive = streamOutput({ argv, cwd: '/', env }, new AbortController().signal);
  const content = createHash('sha256');
  const stored = createHash('sha256');
  const draft = join(storage, randomUUID());
  await mkdir(storage, { recursive: true });
  await pipeline(
    archive,
    hashing(content),
    isCompressed ? createGzip({ level: 1 }) : new PassThrough(),
    hashing(stored),
    createWriteStream(draft),
  );
  const digest = `sha256:${stored.digest('hex')}`;
  const { size } = await stat(draft);
  await mkdir(dirname(blobPath(storage, digest)), { recursive: true });
  await rename(draft, blobPath(storage, digest));
  const mediaType = isCompressed ? `${LAYER}+gzip` : LAYER;
  return { mediaType, digest, size, diffId: `sha256:${content.digest('hex')}` };
}

/** Adds an image whose layers are stored. Returns its digest. */
export async function storeImage(storage: string, image: NewImage): Promise<string> {
  const { name, layers, settings = {}, architecture = ARCHITECTURES[process.arch] } = image;
  const config = await storeBlob(storage, CONFIG, {
    architecture,
    os: 'linux',
    config: settings,
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
  });
  const manifest = await storeBlob(storage, MANIFEST, {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config,
    layers: layers.map(({ diffId: _, ...descriptor }) => descriptor),
  });
  const { repository, tag } = foldersOf(storage, name);
  for (const { digest } of [config, ...layers]) await link(join(repository, '_layers'), digest);
  await link(join(repository, '_manifests/revisions'), manifest.digest);
  await link(join(tag, 'index'), manifest.digest);
  await writeLink(join(tag, 'current'), manifest.digest);
  return manifest.digest;
}

export async function readImage(storage: string, name: string): Promise<StoredImage> {
  const { tag } = foldersOf(storage, name);
  const digest = await readFile(join(tag, 'current/link'), 'utf8');
  const manifest = await readBlob<{ config: Descriptor; layers: Descriptor[] }>(storage, digest);
  const { rootfs, config } = await readBlob<Configuration>(storage, manifest.config.digest);
  const layers = manifest.layers.map((descriptor, at) => ({
    ...descriptor,
    diffId: rootfs.diff_ids[at] ?? '',
  }));
  return { digest, layers, settings: config };
}

/** Copies a layer to the storage of another registry. */
export async function copyLayer(from: string, to: string, { digest }: Layer): Promise<void> {
  await mkdir(dirname(blobPath(to, digest)), { recursive: true });
  await copyFile(blobPath(from, digest), blobPath(to, digest));
}

type Configuration = { rootfs: { diff_ids: string[] }; config: ImageSettings };

const ROOT = 'docker/registry/v2';

function blobPath(storage: string, digest: string): string {
  const hash = digest.slice('sha256:'.length);
  return join(storage, ROOT, 'blobs/sha256', hash.slice(0, 2), hash, 'data');
}

function foldersOf(storage: string, name: string): { repository: string; tag: string } {
  const colon = name.lastIndexOf(':');
  const repository = join(storage, ROOT, 'repositories', name.slice(0, colon));
  return { repository, tag: join(repository, '_manifests/tags', name.slice(colon + 1)) };
}

async function readBlob<Content>(storage: string, digest: string): Promise<Content> {
  return JSON.parse(await readFile(blobPath(storage, digest), 'utf8')) as Content;
}

async function storeBlob(storage: string, mediaType: string, content: object): Promise<Descriptor> {
  const bytes = Buffer.from(JSON.stringify(content));
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  await mkdir(dirname(blobPath(storage, digest)), { recursive: true });
  await writeFile(blobPath(storage, digest), bytes);
  return { mediaType, digest, size: bytes.length };
}

async function link(folder: string, digest: string): Promise<void> {
  await writeLink(join(folder, digest.replace(':', '/')), digest);
}

async function writeLink(folder: string, digest: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'link'), digest);
}

function hashing(hash: ReturnType<typeof createHash>): Transform {
  return new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}
