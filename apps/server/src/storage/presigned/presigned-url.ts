import type { StorageDeps } from '../deps.ts';
import { bucketNotFound, fileNotFound, StorageProblem } from '../storage-problem.ts';
import type { StoredFile } from '../stored-file.ts';

/** `GET /files/{id}/presignedurl`: a link that needs no token and soon ends. */
export async function presignedUrl(file: StoredFile, deps: StorageDeps): Promise<Response> {
  const bucket = await deps.buckets.find(file.bucketId);
  if (bucket === undefined) throw bucketNotFound();
  if (!bucket.presignedUrls) throw new StorageProblem(403, 'presigned URLs are off in this bucket');
  const grant = {
    fileId: file.id,
    bucketId: file.bucketId,
    key: file.key,
    expiresAt: Math.floor(deps.clock.now() / 1_000) + bucket.presignedSeconds,
  };
  const query = new URLSearchParams({
    key: grant.key,
    expires: String(grant.expiresAt),
    signature: deps.signer.sign(grant),
  });
  return Response.json(
    {
      url: `${deps.url}/files/${file.id}/presignedurl/contents?${query}`,
      expiration: bucket.presignedSeconds,
    },
    { headers: { 'Cache-Control': 'no-store' } },
  );
}

export type Granted = { file: StoredFile; secondsLeft: number };

/** The file a link is for. A link of a replaced file, a changed and an old one are all the same: nothing. */
export async function grantedFile(
  fileId: string,
  query: URLSearchParams,
  { files, signer, clock }: StorageDeps,
): Promise<Granted> {
  const expiresAt = Number(query.get('expires'));
  const secondsLeft = Math.ceil(expiresAt - clock.now() / 1_000);
  const key = query.get('key') ?? '';
  // Before the database is asked: it would fail on a key that holds a null character.
  const file = /^\w+$/.test(key) ? await files.findByKey(key, fileId) : undefined;
  if (file === undefined) throw fileNotFound();
  const grant = { fileId, bucketId: file.bucketId, key, expiresAt };
  if (!signer.verify(grant, query.get('signature') ?? '')) throw fileNotFound();
  if (!(secondsLeft > 0)) throw new StorageProblem(403, 'this URL has expired');
  return { file, secondsLeft };
}
