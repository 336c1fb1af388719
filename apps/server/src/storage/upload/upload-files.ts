import { type Bucket, DEFAULT_BUCKET } from '../buckets.ts';
import type { StorageDeps } from '../deps.ts';
import type { NewFile } from '../own-files.ts';
import { bucketNotFound, notAuthorized, overQuota, StorageProblem } from '../storage-problem.ts';
import { fileMetadata } from '../stored-file.ts';
import { describedFiles } from './described-files.ts';
import { descriptionsIn } from './description.ts';
import type { FormField } from './read-form.ts';
import { type Arrival, receiveForm } from './receive-form.ts';

type FileMetadata = ReturnType<typeof fileMetadata>;

/** `POST /files`. Wire protocol §6. */
export function uploadFiles(request: Request, userId: string, deps: StorageDeps) {
  return receiveForm(
    request,
    {
      userId,
      fileField: 'file[]',
      async use(arrival) {
        const descriptions = descriptionsIn(arrival.fields, 'metadata[]');
        const bucket = await bucketOf(request.headers, arrival.fields, deps);
        const described = describedFiles(arrival.files, descriptions, bucket);
        return Response.json(
          { processedFiles: await insertAll(described, { userId, arrival, deps }) },
          { status: 201 },
        );
      },
    },
    deps,
  );
}

/** Clients name the bucket in the form, older ones in a header. Spec §7. */
async function bucketOf(
  headers: Headers,
  fields: FormField[],
  { buckets }: StorageDeps,
): Promise<Bucket> {
  const named =
    fields.findLast(({ name }) => name === 'bucket-id')?.value ||
    headers.get('bucket-id') ||
    headers.get('x-nhost-bucket-id') ||
    DEFAULT_BUCKET;
  const bucket = named.includes('\0') ? undefined : await buckets.find(named);
  if (bucket === undefined) throw bucketNotFound();
  return bucket;
}

type InsertOptions = { userId: string; arrival: Arrival; deps: StorageDeps };

/** One after the other. When one is refused, the answer names those before it, which stay. */
async function insertAll(
  described: NewFile[],
  { userId, arrival, deps }: InsertOptions,
): Promise<FileMetadata[]> {
  const processed: FileMetadata[] = [];
  for (const file of described) {
    arrival.claim(file);
    const inserted = await deps.files.insert(userId, file);
    if (typeof inserted !== 'string') {
      processed.push(fileMetadata(inserted));
      continue;
    }
    arrival.disclaim(file);
    throw refusalOf(inserted, file, deps).withProcessed(processed);
  }
  return processed;
}

function refusalOf(
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
