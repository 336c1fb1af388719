import { type Bucket, DEFAULT_BUCKET } from '../buckets.ts';
import type { StorageDeps } from '../deps.ts';
import type { NewFile } from '../own-files.ts';
import { bucketNotFound, notAuthorized, overQuota, StorageProblem } from '../storage-problem.ts';
import { fileMetadata } from '../stored-file.ts';
import type { FormField } from './read-form.ts';
import { type ReceivedForm, receiveForm } from './receive-form.ts';
import { parseMetadata, withMetadata } from './upload-metadata.ts';

type FileMetadata = ReturnType<typeof fileMetadata>;

/** `POST /files`. */
export function uploadFiles(request: Request, userId: string, deps: StorageDeps) {
  return receiveForm(
    request,
    {
      userId,
      fileField: 'file[]',
      async use(form) {
        const metadata = parseMetadata(form.fields, 'metadata[]');
        const bucket = await bucketOf(request.headers, form.fields, deps);
        const files = withMetadata(form.files, metadata, bucket);
        return Response.json(
          { processedFiles: await insertAll(files, { userId, form, deps }) },
          { status: 201 },
        );
      },
    },
    deps,
  );
}

/** Clients name the bucket in the form, older ones in a header. */
async function bucketOf(
  headers: Headers,
  fields: FormField[],
  { buckets }: StorageDeps,
): Promise<Bucket> {
  const bucketId =
    fields.findLast(({ name }) => name === 'bucket-id')?.value ||
    headers.get('bucket-id') ||
    headers.get('x-nhost-bucket-id') ||
    DEFAULT_BUCKET;
  const bucket = bucketId.includes('\0') ? undefined : await buckets.find(bucketId);
  if (bucket === undefined) throw bucketNotFound();
  return bucket;
}

type InsertOptions = { userId: string; form: ReceivedForm; deps: StorageDeps };

/** Inserts one row after the other. When one is refused, the response lists those before it, which stay. */
async function insertAll(
  files: NewFile[],
  { userId, form, deps }: InsertOptions,
): Promise<FileMetadata[]> {
  const processed: FileMetadata[] = [];
  for (const file of files) {
    form.keep(file);
    const inserted = await deps.files.insert(userId, file);
    if (typeof inserted !== 'string') {
      processed.push(fileMetadata(inserted));
      continue;
    }
    form.discard(file);
    throw problemOf(inserted, file, deps).withProcessed(processed);
  }
  return processed;
}

function problemOf(
  refused: 'duplicate' | 'over-quota' | 'no-user',
  file: NewFile,
  { quota }: StorageDeps,
): StorageProblem {
  switch (refused) {
    case 'duplicate':
      return duplicate(file);
    case 'over-quota':
      return overQuota(quota.maxBytes);
    case 'no-user':
      return notAuthorized();
  }
}

function duplicate({ id }: NewFile): StorageProblem {
  return new StorageProblem(400, 'a file with this id exists already', { details: { id } });
}
