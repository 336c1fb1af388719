import { randomUUID } from 'node:crypto';
import { chown, type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadDigest } from '@longshore/contract';
import { mentionsDiskFull } from '../engines/disk-full.ts';
import { EngineFailure } from '../engines/failure.ts';
import type { Command } from '../processes/command.ts';
import { confineArgv } from '../processes/confine.ts';
import type { Identity } from '../processes/identity.ts';
import { type RunOptions, run } from '../processes/run.ts';
import { GIT_DATA_BYTES, GIT_RESOURCES, type GitOutcome } from './git-limits.ts';
import type { GitRunning } from './git-runner.ts';
import type { SourcePolicy } from './source-policy.ts';

const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
const INHERITED_ARCHIVE = '/dev/fd/3';
const MAX_KEPT_LINES = 5;

export type UnpackOptions = GitRunning & {
  appId: string;
  /** Created, for the source. */
  folder: string;
  /** The user who owns the source. Git and tar run as this user if possible. */
  identity: Identity | undefined;
  sourcePolicy: SourcePolicy;
  limits: { fetchMs: number };
  /** For archives that are not in the data directory. */
  downloadUpload?: DownloadUpload | undefined;
};

/** Copies an archive of an app to a new file. Returns false if there is none. */
export type DownloadUpload = (
  upload: { appId: string; digest: string },
  path: string,
  signal: AbortSignal,
) => Promise<boolean>;

/** Archives that were uploaded for apps. Only the server has access. */
export function uploadsFolder(dataDir: string): string {
  return join(dataDir, 'uploads');
}

/** Archives that are being received or unpacked. Emptied by the next start. */
export function incomingFolder(dataDir: string): string {
  return join(uploadsFolder(dataDir), 'incoming');
}

/** The archive with this digest. It was checked when it was uploaded. */
export function archivePath(dataDir: string, appId: string, digest: string): string {
  return join(uploadsFolder(dataDir), appId, `${digest}.tar.gz`);
}

/** Unpacks the uploaded source of an app into a new folder, as git checks out a repository; returns its digest. */
export async function unpackUpload(
  url: string,
  fetching: UnpackOptions,
  signal: AbortSignal,
): Promise<string> {
  const { folder, identity, limits } = fetching;
  const digest = uploadDigest(url);
  if (digest === undefined) throw new EngineFailure('upload-missing');
  const { archive, file, remove } = await openArchive(digest, fetching, signal);
  try {
    await mkdir(folder, { mode: 0o700 });
    if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
    const output: string[] = [];
    const onLine = (line: string) => {
      if (output.push(line) > MAX_KEPT_LINES) output.shift();
    };
    const options = { signal, timeoutMs: limits.fetchMs, onLine };
    const end = await extract({ archive, fd: file.fd }, fetching, options);
    if (end.kind !== 'exited' || end.code !== 0) throw unpackFailure(end, output);
    return digest;
  } finally {
    await file.close();
    await remove();
  }
}

/** `remove`: of a copy that was made for this build. */
type OpenArchive = { archive: string; file: FileHandle; remove(): Promise<void> };

async function openArchive(
  digest: string,
  { appId, sourcePolicy: { dataDir }, limits, downloadUpload }: UnpackOptions,
  signal: AbortSignal,
): Promise<OpenArchive> {
  const stored = archivePath(dataDir, appId, digest);
  const file = await open(stored).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (file !== undefined) return { archive: stored, file, remove: async () => {} };
  if (downloadUpload === undefined) throw new EngineFailure('upload-missing');
  const archive = join(incomingFolder(dataDir), randomUUID());
  const remove = () => rm(archive, { force: true });
  try {
    const deadline = AbortSignal.timeout(limits.fetchMs);
    const either = AbortSignal.any([signal, deadline]);
    if (!(await downloadUpload({ appId, digest }, archive, either)))
      throw new EngineFailure('upload-missing');
    return { archive, file: await open(archive), remove };
  } catch (error) {
    await remove();
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw isFull ? new EngineFailure('disk-full', [], { cause: error }) : error;
  }
}

/** In the sandbox of git, without a network. Without a sandbox, tar inherits the open file, which its user could not open. */
async function extract(
  { archive, fd }: { archive: string; fd: number },
  { sandbox, folder, group, identity, marks, limits, confinement }: UnpackOptions,
  options: RunOptions,
): Promise<GitOutcome> {
  const processLimits = { fileBytes: limits.checkoutBytes, dataBytes: GIT_DATA_BYTES };
  const path = sandbox === undefined ? INHERITED_ARCHIVE : archive;
  const tar: Command['argv'] = [
    ...(['tar', '--extract', '--gzip', '--no-same-owner', '--no-same-permissions'] as const),
    ...['--warning=no-timestamp', `--file=${path}`],
  ];
  const command = {
    argv: confineArgv(tar, processLimits, confinement),
    cwd: folder,
    env: { ...ENV, ...marks },
    identity,
  };
  if (sandbox === undefined) return await run({ ...command, inheritedFds: [fd] }, options);
  const mounts = [
    { source: folder, target: folder, isWritable: true },
    { source: archive, target: archive, isWritable: false },
  ];
  const isolation = { mounts, network: { kind: 'none' }, group, limits: GIT_RESOURCES } as const;
  return await sandbox.run({ ...command, ...isolation, mounts }, options);
}

function unpackFailure(end: GitOutcome, output: string[]): EngineFailure {
  if (mentionsDiskFull(output.join('\n'))) return new EngineFailure('disk-full', output);
  const how = end.kind === 'exited' ? `tar failed with exit code ${end.code}` : `tar: ${end.kind}`;
  return new EngineFailure('engine-failed', [how, ...output]);
}
