import type { FileToUpload, ImageWish } from './files.ts';

/** Each file has its metadata at the same place; the bucket is a field of the form. Spec §7. */
export function uploadForm(files: readonly FileToUpload[], bucketId?: string): FormData {
  const form = new FormData();
  if (bucketId !== undefined) form.append('bucket-id', bucketId);
  for (const { file, id, name } of files) {
    form.append('metadata[]', JSON.stringify({ id, name }));
    form.append('file[]', file, name);
  }
  return form;
}

export function fileQuery({ width, height, quality, blur }: ImageWish): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ w: width, h: height, q: quality, b: blur })) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}
