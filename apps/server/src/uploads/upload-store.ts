import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { archivePath, type DownloadUpload, incomingFolder } from '../build/unpack-upload.ts';
import { type ReceivedArchive, type ReceiveLimits, receiveArchive } from './receive-archive.ts';

/** An archive that has arrived, but belongs to no app yet. */
export type IncomingArchive = ReceivedArchive & {
  /** Where it is until it is kept or discarded. */
  path: string;
  /** Stores it for an app. */
  keep(appId: string): Promise<void>;
  /** Removes it, unless it is kept. */
  discard(): Promise<void>;
};

/** The uploaded archives of all apps. */
export type UploadStore = {
  /** Throws an `ArchiveProblem` if the archive is refused; then nothing of it is left. */
  receive(body: AsyncIterable<Uint8Array>, options: ReceiveOptions): Promise<IncomingArchive>;
  /** What the archives of these apps use. */
  usedBytes(appIds: string[]): Promise<number>;
  /** Removes the archives of an app except these. */
  prune(appId: string, digests: string[]): Promise<void>;
  remove(appId: string): Promise<void>;
  /** To be run daily: removes what is left of uploads that a server did not finish. */
  removeOrphans(signal: AbortSignal): Promise<void>;
  /** Copies an archive that other servers can use too. Undefined: archives are in the data directory. */
  download?: DownloadUpload;
};

type ReceiveOptions = { limits: ReceiveLimits; signal: AbortSignal };

/** Opens the store, and removes archives whose upload an earlier server did not finish. */
export async function openUploadStore(dataDir: string): Promise<UploadStore> {
  const incoming = incomingFolder(dataDir);
  const folderOf = (appId: string) => dirname(archivePath(dataDir, appId, ''));
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  return {
    async receive(body, options) {
      const path = join(incoming, randomUUID());
      const discard = () => rm(path, { force: true });
      try {
        const received = await receiveArchive(body, path, options);
        return {
          ...received,
          path,
          discard,
          async keep(appId) {
            await mkdir(folderOf(appId), { recursive: true, mode: 0o700 });
            await rename(path, archivePath(dataDir, appId, received.digest));
          },
        };
      } catch (error) {
        await discard();
        throw error;
      }
    },
    async usedBytes(appIds) {
      const sizes = await Promise.all(appIds.map((appId) => bytesIn(folderOf(appId))));
      return sizes.reduce((sum, bytes) => sum + bytes, 0);
    },
    async prune(appId, digests) {
      const kept = digests.map((digest) => `${digest}.tar.gz`);
      for (const name of await namesIn(folderOf(appId))) {
        if (!kept.includes(name)) await rm(join(folderOf(appId), name), { force: true });
      }
    },
    remove: (appId) => rm(folderOf(appId), { recursive: true, force: true }),
    // None: the next start removes them.
    removeOrphans: async () => {},
  };
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await namesIn(folder)) {
    bytes += (await stat(join(folder, name)).catch(ignoreMissing))?.size ?? 0;
  }
  return bytes;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? [];
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
