import { isStorable } from '@longshore/contract';
import { z } from 'zod';
import type { Bucket } from '../buckets.ts';
import type { NewFile } from '../own-files.ts';
import {
  fileTooBig,
  fileTooSmall,
  StorageProblem,
  undecodableMetadata,
} from '../storage-problem.ts';
import type { FormField } from './read-form.ts';
import type { ReceivedFile } from './receive-file.ts';

/** What a client sends about a file: a `metadata[]` field of the form. */
export type UploadMetadata = {
  id?: string | null | undefined;
  name?: string | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
};

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const MAX_NAME_LENGTH = 255;

const Name = z.string().max(MAX_NAME_LENGTH).refine(isStorable);
const MetadataText = z
  .string()
  .transform(parseJson)
  .pipe(
    z.object({
      id: z.string().regex(UUID).toLowerCase().nullish(),
      name: Name.nullish(),
      metadata: z.record(z.string(), z.unknown()).refine(isStorable).nullish(),
    }),
  );

/** Parses the form fields of one name. */
export function parseMetadata(fields: FormField[], name: string): UploadMetadata[] {
  return fields
    .filter((field) => field.name === name)
    .map(({ value }) => {
      const parsed = MetadataText.safeParse(value);
      if (parsed.success) return parsed.data;
      throw undecodableMetadata(parsed.error);
    });
}

/** The name in the metadata, or else the file name of the form. */
function nameOf(metadata: UploadMetadata | undefined, filename: string | undefined): string {
  if (metadata?.name) return metadata.name;
  const isUsable = filename !== '' && Name.safeParse(filename).success;
  return isUsable && filename !== undefined ? filename : 'file';
}

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('Not valid JSON');
    return z.NEVER;
  }
}

/** Combines the files with their metadata in order, wherever they are in the form. */
export function withMetadata(
  files: ReceivedFile[],
  metadata: UploadMetadata[],
  bucket: Bucket,
): NewFile[] {
  if (files.length === 0) throw new StorageProblem(400, 'file[] not found in Multipart form');
  if (metadata.length !== 0 && metadata.length !== files.length) {
    throw new StorageProblem(400, "file metadata length doesn't match number of files in request");
  }
  return files.map(({ filename, ...content }, index) => {
    const sent = metadata[index];
    const name = nameOf(sent, filename);
    checkSize(name, content.size, bucket);
    return {
      ...content,
      name,
      id: sent?.id ?? undefined,
      metadata: sent?.metadata ?? null,
      bucketId: bucket.id,
    };
  });
}

export function checkSize(name: string, size: number, { minBytes, maxBytes }: Bucket): void {
  if (size > maxBytes) throw fileTooBig(name, size, maxBytes);
  if (size < minBytes) throw fileTooSmall(name, size, minBytes);
}
