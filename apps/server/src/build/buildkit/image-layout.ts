import { createHash } from 'node:crypto';
import { z } from 'zod';
import { VARIABLES_LABEL } from '../dockerfile.ts';
import { type Builder, runInBuilder } from './builder.ts';

/*
 * The result of a build, as it lies in the builder: an OCI image layout. Everything in it may be made up by the owner's build,
 * so only what is checked here is used.
 */

const DIGEST = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const MAX_DOCUMENT_BYTES = 4 * 1024 ** 2;
const MAX_LAYERS = 127;
const DESCRIPTOR = z.object({
  digest: DIGEST,
  mediaType: z.string(),
  size: z.int().nonnegative(),
});
const INDEX = z.object({ manifests: z.array(DESCRIPTOR).length(1) });
/** Without any layer, BuildKit writes null. */
const layersOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
const MANIFEST = z.object({ config: DESCRIPTOR, layers: layersOf(DESCRIPTOR) });
const CONFIG = z.looseObject({
  architecture: z.string().regex(/^[\w.-]*$/),
  os: z.literal('linux').optional(),
  config: z.looseObject({ Labels: z.record(z.string(), z.string()).nullish() }).nullish(),
  rootfs: z.object({ diff_ids: layersOf(DIGEST) }),
});

/** `diffId` is the digest of the unpacked layer. */
export type Layer = {
  digest: string;
  size: number;
  compression: 'none' | 'gzip' | 'zstd';
  diffId: string;
};

export type BuiltImage = {
  architecture: string;
  config: { digest: string; bytes: Buffer };
  layers: Layer[];
};

/** The image itself is wrong. Its message is for users. */
export class InvalidImage extends Error {
  override readonly name = 'InvalidImage';
}

export const LAYOUT_FOLDER = 'image';

/** The path of a blob in the image layout of a builder. */
export function blobPath({ folder }: Pick<Builder, 'folder'>, digest: string): string {
  return `${folder}/${LAYOUT_FOLDER}/blobs/${digest.replace(':', '/')}`;
}

export async function readBuiltImage(builder: Builder, signal: AbortSignal): Promise<BuiltImage> {
  const read = async (path: string) =>
    await runInBuilder(builder, { argv: ['cat', path] }, { maxBytes: MAX_DOCUMENT_BYTES, signal });
  const index = parse(INDEX, await read(`${builder.folder}/${LAYOUT_FOLDER}/index.json`));
  const [{ digest = '' } = {}] = index.manifests;
  const manifest = parse(MANIFEST, await read(blobPath(builder, digest)));
  const bytes = await read(blobPath(builder, manifest.config.digest));
  return toBuiltImage(manifest, bytes);
}

function toBuiltImage(manifest: z.infer<typeof MANIFEST>, bytes: Buffer): BuiltImage {
  const config = parse(CONFIG, bytes);
  const diffIds = config.rootfs.diff_ids;
  if (diffIds.length > MAX_LAYERS)
    throw new InvalidImage(
      `The image has ${diffIds.length} layers, at most ${MAX_LAYERS} are possible`,
    );
  if (diffIds.length === 0) throw new InvalidImage('The image is empty');
  if (diffIds.length !== manifest.layers.length)
    throw new InvalidImage('The image does not have the layers that it lists');
  return {
    architecture: config.architecture,
    config: harmlessConfig(config),
    layers: manifest.layers.map(({ digest, size, mediaType }, index) => ({
      digest,
      size,
      compression: compressionOf(mediaType),
      diffId: diffIds[index] ?? '',
    })),
  };
}

/** Labels by which servers find their containers, which have the labels of their image too. */
const OWN_LABEL = /^dev\.longshore\./;

/**
 * Without what makes the engine itself work or store for a container, where the limits of the container do not apply: volumes,
 * and programs that check its health as often as every millisecond.
 */
function harmlessConfig(image: z.infer<typeof CONFIG>): BuiltImage['config'] {
  const { architecture, config, rootfs } = image;
  const labels = Object.entries(config?.Labels ?? {}).filter(
    ([name]) => name === VARIABLES_LABEL || !OWN_LABEL.test(name),
  );
  const harmless = {
    ...withoutFields(image, ['architecture', 'config', 'rootfs']),
    architecture,
    config: {
      ...withoutFields(config ?? {}, ['healthcheck', 'labels', 'volumes']),
      Labels: Object.fromEntries(labels),
    },
    rootfs: { type: 'layers', diff_ids: rootfs.diff_ids },
  };
  const bytes = Buffer.from(JSON.stringify(harmless));
  return { digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, bytes };
}

/** Also in other spellings, such as RootFS: Docker ignores the case, and uses the last one. */
function withoutFields(document: object, names: string[]): object {
  const isKept = (name: string) => !names.includes(name.normalize('NFKC').toLowerCase());
  return Object.fromEntries(Object.entries(document).filter(([name]) => isKept(name)));
}

function compressionOf(mediaType: string): Layer['compression'] {
  if (mediaType === 'application/vnd.oci.image.layer.v1.tar') return 'none';
  if (mediaType === 'application/vnd.docker.image.rootfs.diff.tar') return 'none';
  if (/^application\/vnd\.(?:oci|docker)\.image\..*tar[.+]gzip$/.test(mediaType)) return 'gzip';
  if (/^application\/vnd\.(?:oci|docker)\.image\..*tar[.+]zstd$/.test(mediaType)) return 'zstd';
  throw new InvalidImage(`The image has a layer of the unknown kind ${mediaType}`);
}

function parse<Document>(schema: z.ZodType<Document>, bytes: Buffer): Document {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    throw new InvalidImage('The result of the build is not an image that Docker can run', {
      cause: error,
    });
  }
}
