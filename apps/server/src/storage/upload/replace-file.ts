import type { StorageDeps } from '../deps.ts';
import { bucketNotFound, fileNotFound, overQuota, StorageProblem } from '../storage-problem.ts';
import { fileMetadata, type StoredFile } from '../stored-file.ts';
import { type ReceivedForm, receiveForm } from './receive-form.ts';
import { checkSize, parseMetadata } from './upload-metadata.ts';

/** `PUT /files/{id}`: new bytes, and a new name or metadata if the form contains them. */
export function replaceFile(request: Request, old: StoredFile, deps: StorageDeps) {
  return receiveForm(
    request,
    {
      userId: old.userId,
      fileField: 'file',
      freedBytes: old.size,
      use: (form) => replaceWith(form, old, deps),
    },
    deps,
  );
}

async function replaceWith(
  form: ReceivedForm,
  old: StoredFile,
  deps: StorageDeps,
): Promise<Response> {
  const [content, ...more] = form.files;
  if (content === undefined || more.length > 0) {
    throw new StorageProblem(400, 'file not found in Multipart form');
  }
  const sent = parseMetadata(form.fields, 'metadata').at(-1);
  const bucket = await deps.buckets.find(old.bucketId);
  if (bucket === undefined) throw bucketNotFound();
  const name = sent?.name || old.name;
  checkSize(name, content.size, bucket);

  form.keep(content);
  const metadata = sent?.metadata === undefined ? old.metadata : sent.metadata;
  const replaced = await deps.files.replace(old.userId, old.id, { ...content, name, metadata });
  if (typeof replaced === 'string') {
    form.discard(content);
    throw replaced === 'absent' ? fileNotFound() : overQuota(deps.quota.maxBytes);
  }
  await deps.store.remove(replaced.oldKey);
  return Response.json(fileMetadata(replaced.file));
}
