import { chmod, chown, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { shortHash } from '../../data-dir/choose-data-dir.ts';
import { PostgresProblem } from './cluster.ts';

type Owner = { uid: number; gid: number };

/** The maximum length of a unix socket's path. */
const MAX_PATH_BYTES = 107;
const SOCKET_NAME = '/.s.PGSQL.5432';

/** Below the database's folder, or a short path if that one is too long for a socket. */
export function chooseSocketFolder(clusterFolder: string, isRoot: boolean): string {
  const preferred = join(clusterFolder, 'run');
  if (Buffer.byteLength(preferred + SOCKET_NAME) <= MAX_PATH_BYTES) return preferred;
  return `${isRoot ? '/run' : '/tmp'}/longshore-${shortHash(clusterFolder)}`;
}

/** Protects the database: only its user and root may enter the folder. */
export async function createSocketFolder(path: string, owner: Owner): Promise<void> {
  const isNew = await mkdir(path, { mode: 0o700 }).then(
    () => true,
    () => false,
  );
  if (isNew) await chown(path, owner.uid, owner.gid);
  const found = await lstat(path).catch(() => undefined);
  // In a folder like /tmp, another user may have created it first.
  if (found === undefined || !found.isDirectory() || found.uid !== owner.uid) {
    throw new PostgresProblem(
      `${path} is needed for the database's socket, but is not a folder of its user.`,
    );
  }
  await chmod(path, 0o700);
}
