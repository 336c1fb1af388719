import type { StorageDeps } from '../deps.ts';
import { bucketNotFound, fileNotFound, overQuota, StorageProblem } from '../storage-problem.ts';
import { fileMetadata, type StoredFile } from '../stored-file.ts';
import { checkSize } from './described-files.ts';
import { descriptionsIn } from './description.ts';
import { type Arrival, receiveForm } from './receive-form.ts';

/** `PUT /files/{id}`: other bytes, and another name or metadata if the form holds them. */
export function replaceFile(request: Request, old: StoredFile, deps: StorageDeps) {
  return receiveForm(
    request,
    {
      userId: old.userId,
      fileField: 'file',
      freedBytes: old.size,
      use: (arrival) => replaceBy(arrival, old, deps),
    },
    deps,
  );
}

async function replaceBy(arrival: Arrival, old: StoredFile, deps: StorageDeps): Promise<Response> {
  const [content, ...more] = arrival.files;
  if (content === undefined || more.length > 0) {
    throw new StorageProblem(400, 'file not found in Multipart form');
  }
  const described = descriptionsIn(arrival.fields, 'metadata').at(-1);
  const bucket = await deps.buckets.find(old.bucketId);
  if (bucket === undefined) throw bucketNotFound();
  const name = described?.name || old.name;
  checkSize(name, content.size, bucket);

  arrival.claim(content);
  const metadata = described?.metadata === undefined ? old.metadata : described.metadata;
  const replaced = await deps.files.replace(old.userId, old.id, { ...content, name, metadata });
  if (typeof replaced === 'string') {
    arrival.disclaim(content);
    throw replaced === 'absent' ? fileNotFound() : overQuota(deps.quota.maxBytes);
  }
  await deps.store.remove(replaced.oldKey);
  return Response.json(fileMetadata(replaced.file));
}
