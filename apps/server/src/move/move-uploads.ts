import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { archivePath, uploadsFolder } from '../build/unpack-upload.ts';
import type { S3Store } from '../storage/s3-store.ts';
import { copyObject, type StoredContent } from './move-files.ts';

/** A row of `deploy.uploads`. */
export type MovedUpload = StoredContent & { appId: string; digest: string };

type MoveUploadsDeps = { dataDir: string; to: S3Store; signal: AbortSignal };

const APP_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ARCHIVE = /^(?<digest>[0-9a-f]{64})\.tar\.gz$/;
const KEY_LENGTH = 32;

/** Copies uploaded source code into the object store. Archives that an earlier run copied stay. */
export async function moveUploads({
  dataDir,
  to,
  signal,
}: MoveUploadsDeps): Promise<MovedUpload[]> {
  const moved: MovedUpload[] = [];
  for (const { appId, digest } of await listArchives(dataDir)) {
    const path = archivePath(dataDir, appId, digest);
    const read = async () =>
      Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array>;
    // The same in every run.
    const key = sha256Of(`${appId}/${digest}`).slice(0, KEY_LENGTH);
    const content = { key, ...(await measure(await read())) };
    if (!(await copyObject(content, { from: { read }, to, signal }))) {
      throw new Error(`${path} changed while it was copied`);
    }
    moved.push({ appId, digest, ...content });
  }
  return moved;
}

async function listArchives(dataDir: string): Promise<{ appId: string; digest: string }[]> {
  const folder = uploadsFolder(dataDir);
  const archives = [];
  for (const appId of (await namesIn(folder)).filter((name) => APP_ID.test(name))) {
    for (const name of await namesIn(join(folder, appId))) {
      const digest = ARCHIVE.exec(name)?.groups?.digest;
      if (digest !== undefined) archives.push({ appId, digest });
    }
  }
  return archives;
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function measure(chunks: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}
