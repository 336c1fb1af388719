import type { Bucket } from '../buckets.ts';
import type { NewFile } from '../own-files.ts';
import { fileTooBig, fileTooSmall, StorageProblem } from '../storage-problem.ts';
import { type Description, nameOf } from './description.ts';
import type { ReceivedFile } from './receive-file.ts';

/** Pairs each file with its description: the first with the first, wherever they stood in the form. */
export function describedFiles(
  files: ReceivedFile[],
  descriptions: Description[],
  bucket: Bucket,
): NewFile[] {
  if (files.length === 0) throw new StorageProblem(400, 'file[] not found in Multipart form');
  if (descriptions.length !== 0 && descriptions.length !== files.length) {
    throw new StorageProblem(400, "file metadata length doesn't match number of files in request");
  }
  return files.map(({ filename, ...content }, index) => {
    const described = descriptions[index];
    const name = nameOf(described, filename);
    checkSize(name, content.size, bucket);
    return {
      ...content,
      name,
      id: described?.id ?? undefined,
      metadata: described?.metadata ?? null,
      bucketId: bucket.id,
    };
  });
}

export function checkSize(name: string, size: number, { minBytes, maxBytes }: Bucket): void {
  if (size > maxBytes) throw fileTooBig(name, size, maxBytes);
  if (size < minBytes) throw fileTooSmall(name, size, minBytes);
}
