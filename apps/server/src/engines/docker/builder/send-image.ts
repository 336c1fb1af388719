import type { Builder } from '../../../build/buildkit/builder.ts';
import { type ArchiveOptions, imageArchive } from '../../../build/buildkit/image-archive.ts';
import type { BuiltImage, Layer } from '../../../build/buildkit/image-layout.ts';
import type { DockerApi } from '../docker-api.ts';
import { DockerError } from '../docker-error.ts';
import { jsonLines } from '../json-lines.ts';
import type { LayerRecord } from '../layer-records.ts';

/** Copies an image from a builder to the engine. Returns what the copied layers unpack to. */
export async function sendImage(
  builder: Builder,
  image: BuiltImage,
  options: Omit<ArchiveOptions, 'measured'>,
  docker: DockerApi,
  signal: AbortSignal,
): Promise<LayerRecord[]> {
  const sent: LayerRecord[] = [];
  const measured = ({ diffId }: Layer, bytes: number) => void sent.push({ diffId, bytes });
  // The connection breaks when the archive does; the reason is the archive's.
  let problem: unknown;
  async function* observed() {
    try {
      yield* imageArchive(builder, image, { ...options, measured }, signal);
    } catch (error) {
      problem = error;
      throw error;
    }
  }
  try {
    const progress = await docker.follow('POST', '/images/load', {
      query: { quiet: true },
      headers: { 'content-type': 'application/x-tar' },
      stream: observed(),
      signal,
    });
    for await (const { error } of jsonLines<{ error?: string }>(progress)) {
      if (error !== undefined) throw new DockerError(500, error);
    }
    return sent;
  } catch (error) {
    throw problem ?? error;
  }
}
