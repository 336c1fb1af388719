import { createHash } from 'node:crypto';
import type { Builder } from '../../../build/buildkit/builder.ts';
import {
  checkedLayer,
  type ImageSize,
  uniqueLayers,
} from '../../../build/buildkit/image-archive.ts';
import type { BuiltImage, Layer } from '../../../build/buildkit/image-layout.ts';
import type { ReleaseSpec } from '../../engine.ts';
import {
  type OwnRegistry,
  openRegistry,
  type RegistryResponse,
  type RegistrySession,
  refusal,
} from './registry-session.ts';

type Release = Pick<ReleaseSpec, 'appId' | 'number' | 'ownerId'>;

export type Push = {
  release: Release;
  image: BuiltImage;
  builder: Builder;
  registry: OwnRegistry;
  max: ImageSize;
};

const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG_TYPE = 'application/vnd.oci.image.config.v1+json';
const LAYER_TYPES: Record<Layer['compression'], string> = {
  none: 'application/vnd.oci.image.layer.v1.tar',
  gzip: 'application/vnd.oci.image.layer.v1.tar+gzip',
  zstd: 'application/vnd.oci.image.layer.v1.tar+zstd',
};
/** Not those of labels, which are part of the image. */
const ANNOTATIONS = { app: 'dev.longshore.app', release: 'dev.longshore.release' };

/**
 * The repository of all images of an owner. Their layers are stored once; those of other owners are unknown there: a user who knows
 * the digest of a layer must not get its files.
 */
export function releaseRepository({ path }: Pick<OwnRegistry, 'path'>, ownerId: string): string {
  return `${path === '' ? '' : `${path}/`}${REPOSITORY_PREFIX}${ownerId}`;
}

const REPOSITORY_PREFIX = 'longshore-';

/** Whether an image in the registry of the operator is the release of an app. */
export function isReleaseRepository({ path }: Pick<OwnRegistry, 'path'>, repository: string) {
  return repository.startsWith(releaseRepository({ path }, ''));
}

/**
 * Sends an image from the builder to the registry; returns its name with the digest. The server does it: a builder, where programs
 * of users run, gets no access to images of others.
 */
export async function pushImage(
  { release, image, builder, registry, max }: Push,
  signal: AbortSignal,
): Promise<string> {
  const repository = releaseRepository(registry, release.ownerId);
  const session = openRegistry(registry, repository);
  const size: ImageSize = { bytes: 0, files: 0 };
  for (const layer of uniqueLayers(image.layers, max)) {
    await uploadBlob(
      { ...layer, chunks: () => checkedLayer(builder, layer, { size, max }, signal) },
      session,
      signal,
    );
  }
  const { bytes, digest } = image.config;
  const chunks = () => [bytes];
  await uploadBlob({ digest, size: bytes.length, chunks }, session, signal);
  const manifest = Buffer.from(JSON.stringify(imageManifest(image, release)));
  const response = await session.send({
    method: 'PUT',
    url: session.urlOf(`manifests/${release.appId}-${release.number}`),
    headers: { 'content-type': MANIFEST_TYPE },
    body: manifest,
    signal,
  });
  requireStatus(response, 201);
  const manifestDigest = createHash('sha256').update(manifest).digest('hex');
  return `${registry.host}/${repository}@sha256:${manifestDigest}`;
}

/** With the app and the release in it, each release has a digest of its own, and can be removed without another one. */
function imageManifest(
  { config, layers }: BuiltImage,
  { appId, number }: Pick<Release, 'appId' | 'number'>,
) {
  return {
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    config: { mediaType: CONFIG_TYPE, digest: config.digest, size: config.bytes.length },
    layers: layers.map(({ digest, size, compression }) => ({
      mediaType: LAYER_TYPES[compression],
      digest,
      size,
    })),
    annotations: { [ANNOTATIONS.app]: appId, [ANNOTATIONS.release]: String(number) },
  };
}

type Blob = {
  digest: string;
  size: number;
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
};

async function uploadBlob(
  { digest, size, chunks }: Blob,
  session: RegistrySession,
  signal: AbortSignal,
): Promise<void> {
  const existing = await session.send({
    method: 'HEAD',
    url: session.urlOf(`blobs/${digest}`),
    signal,
  });
  if (existing.status === 200) return;
  const startUrl = session.urlOf('blobs/uploads/');
  const started = await session.send({
    method: 'POST',
    url: startUrl,
    headers: { 'content-length': '0' },
    signal,
  });
  requireStatus(started, 202);
  const uploadUrl = locationOf(started, startUrl);
  const sent = await session.upload({
    method: 'PATCH',
    url: uploadUrl,
    headers: { 'content-type': 'application/octet-stream' },
    chunks: toAsync(chunks()),
    size,
    signal,
  });
  requireStatus(sent, 202);
  const url = locationOf(sent, uploadUrl);
  url.searchParams.set('digest', digest);
  const headers = { 'content-length': '0' };
  requireStatus(await session.send({ method: 'PUT', url, headers, signal }), 201);
}

async function* toAsync(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  yield* chunks;
}

function locationOf({ headers, status }: RegistryResponse, base: URL): URL {
  const { location } = headers;
  if (location === undefined) throw refusal(status);
  return new URL(location, base);
}

function requireStatus({ status }: RegistryResponse, expected: number): void {
  if (status !== expected) throw refusal(status);
}

/** Returns false if the registry does not remove images. */
export async function removeImage(
  image: string,
  registry: OwnRegistry,
  signal: AbortSignal,
): Promise<boolean> {
  const [name = '', digest = ''] = image.split('@');
  const repository = name.slice(registry.host.length + 1);
  const session = openRegistry(registry, repository);
  const url = session.urlOf(`manifests/${digest}`);
  const { status } = await session.send({ method: 'DELETE', url, signal });
  // 404: it is gone already.
  return [200, 202, 404].includes(status);
}
