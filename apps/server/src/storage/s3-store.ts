import { randomBytes } from 'node:crypto';
import { S3mini, S3ServiceError, type UploadPart } from 's3mini';
import type { Secret } from '../secrets/secret.ts';
import { type ByteSpan, type FileStore, FileStoreDown, type StoredKey } from './file-store.ts';

/** A bucket of an object store that speaks the protocol of Amazon S3. */
export type S3Settings = {
  /** Without the bucket: requests have it in their path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: Secret;
  /** Starts every name in the bucket. Empty, or ends with a slash. */
  prefix: string;
};

export type S3Store = FileStore & {
  /** Stores bytes under a key that another store generated. */
  writeAs(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Undefined if the key does not exist. */
  bytesOf(key: string): Promise<number | undefined>;
};

export type S3StoreOptions = S3Settings & {
  /** The store has names of its own below the prefix: what it does not know there may be removed as an orphan. */
  folder: string;
  /** For tests. */
  partBytes?: number;
};

const KEY_BYTES = 16;
const LIST_BATCH = 500;
/** Kept in memory for each running upload. A file has 10,000 parts at most. */
const PART_BYTES = 8 * 1024 ** 2;
/** Until a response begins. */
const RESPONSE_MS = 60_000;
const NOT_FOUND = 404;
const SERVER_ERROR = 500;

/** Stores files as objects. Several servers may use it at once. */
export function openS3Store(options: S3StoreOptions): S3Store {
  const bucket = openBucket(options);
  const folder = `${options.prefix}${options.folder}/`;
  const { partBytes = PART_BYTES } = options;
  return {
    async write(chunks) {
      const key = randomBytes(KEY_BYTES).toString('hex');
      await writeAs(key, chunks);
      return key;
    },
    writeAs,
    bytesOf: (key) => bytesOf(folder + key),
    read: (key, span) => read(folder + key, span),
    async remove(key) {
      await bucket.deleteObject(folder + key).catch(ignoreMissing);
    },
    list,
  };

  async function writeAs(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const parts = partsOf(chunks, partBytes)[Symbol.asyncIterator]();
    const [first, second] = [await parts.next(), await parts.next()];
    const name = folder + key;
    if (second.done) await bucket.putObject(name, first.value ?? Buffer.alloc(0));
    else await writeParts(name, [first.value ?? Buffer.alloc(0), second.value], parts);
  }

  async function bytesOf(name: string): Promise<number | undefined> {
    // It wraps every error.
    return await bucket.getContentLength(name).catch(({ cause }) => ignoreMissing(cause));
  }

  async function writeParts(
    name: string,
    first: Buffer[],
    rest: AsyncIterator<Buffer>,
  ): Promise<void> {
    const uploadId = await bucket.getMultipartUploadId(name);
    try {
      const written: UploadPart[] = [];
      const send = async (part: Buffer) => {
        written.push(await bucket.uploadPart(name, uploadId, part, written.length + 1));
      };
      for (const part of first) await send(part);
      for await (const part of { [Symbol.asyncIterator]: () => rest }) await send(part);
      // A store may report a failure after it began a response of 200.
      const { etag } = await bucket.completeMultipartUpload(name, uploadId, written);
      if (!etag) throw new Error('The object store did not assemble the parts of a file');
    } catch (error) {
      await bucket.abortMultipartUpload(name, uploadId).catch(() => {});
      throw error;
    }
  }

  async function read(name: string, span?: ByteSpan) {
    const reading =
      span === undefined
        ? bucket.getObjectRaw(name)
        : bucket.getObjectRaw(name, false, span.start, span.end + 1);
    const response = await reading.catch(ignoreMissing);
    return response && (response.body ?? new Blob([]).stream());
  }

  async function* list(): AsyncGenerator<StoredKey[]> {
    let token: string | undefined;
    do {
      const page = await bucket.listObjectsPaged('/', folder, LIST_BATCH, token);
      if (!page) throw new Error(`The bucket ${options.bucket} does not exist`);
      yield (page.objects ?? []).map(({ Key, LastModified }) => ({
        key: Key.slice(folder.length),
        writtenAt: new Date(LastModified).getTime(),
      }));
      token = page.nextContinuationToken;
    } while (token !== undefined);
  }
}

/** Undefined, or why the bucket cannot be used with these settings. Rejects if the object store does not answer. */
export async function bucketProblem(settings: S3Settings): Promise<string | undefined> {
  const bucket = openBucket(settings);
  try {
    const page = await bucket.listObjectsPaged('/', settings.prefix, 1);
    return page ? undefined : `there is no bucket ${settings.bucket} for this access key`;
  } catch (error) {
    if (error instanceof S3ServiceError) return error.message;
    throw error;
  }
}

function openBucket({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings) {
  return new S3mini({
    endpoint: `${endpoint}/${bucket}`,
    region,
    accessKeyId,
    secretAccessKey: secretAccessKey.reveal(),
    fetch: fetchWithDeadline,
  });
}

/** The deadline is for the beginning of the response: a large file may take longer. */
const fetchWithDeadline: typeof fetch = async (input, init) => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), RESPONSE_MS);
  const response = await fetch(input, { ...init, signal: late.signal })
    .catch((cause) => {
      throw new FileStoreDown('The object store does not answer', { cause });
    })
    .finally(() => clearTimeout(timer));
  if (response.status < SERVER_ERROR) return response;
  await response.body?.cancel();
  throw new FileStoreDown(`The object store failed with status ${response.status}`);
};

/** All of this size but the last. */
async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    const bytes = Buffer.concat(waiting);
    const end = size - (size % partBytes);
    for (let start = 0; start < end; start += partBytes) {
      yield bytes.subarray(start, start + partBytes);
    }
    waiting = [bytes.subarray(end)];
    size -= end;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof S3ServiceError) || error.status !== NOT_FOUND) throw error;
}
