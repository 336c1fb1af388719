import type { StorageDeps } from '../deps.ts';
import { bucketNotFound, fileNotFound, StorageProblem } from '../storage-problem.ts';
import type { StoredFile } from '../stored-file.ts';

/** `GET /files/{id}/presignedurl`: a URL that needs no token and expires soon. */
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

export type PresignedFile = { file: StoredFile; secondsLeft: number };

/** The file of a presigned URL. URLs of replaced files and altered URLs are not found. */
export async function presignedFile(
  fileId: string,
  query: URLSearchParams,
  { files, signer, clock }: StorageDeps,
): Promise<PresignedFile> {
  const expiresAt = Number(query.get('expires'));
  const secondsLeft = Math.ceil(expiresAt - clock.now() / 1_000);
  const key = query.get('key') ?? '';
  // The database would fail on a key with a null character.
  const file = /^\w+$/.test(key) ? await files.findByKey(key, fileId) : undefined;
  if (file === undefined) throw fileNotFound();
  const grant = { fileId, bucketId: file.bucketId, key, expiresAt };
  if (!signer.verify(grant, query.get('signature') ?? '')) throw fileNotFound();
  if (!(secondsLeft > 0)) throw new StorageProblem(403, 'this URL has expired');
  return { file, secondsLeft };
}
