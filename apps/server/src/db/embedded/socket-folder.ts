import { chmod, chown, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { shortHash } from '../../data-dir/choose-data-dir.ts';
import { PostgresProblem } from './postgres-problem.ts';

type Owner = { uid: number; gid: number };

/** A unix socket's address holds 107 bytes, its name included. */
const MAX_ADDRESS_BYTES = 107;
const SOCKET_NAME = '/.s.PGSQL.5432';

/** Below the database's own folder, or a short path when that is too long for a socket. */
export function chooseSocketFolder(clusterFolder: string, isRoot: boolean): string {
  const near = join(clusterFolder, 'run');
  if (Buffer.byteLength(near + SOCKET_NAME) <= MAX_ADDRESS_BYTES) return near;
  return `${isRoot ? '/run' : '/tmp'}/longshore-${shortHash(clusterFolder)}`;
}

/** The only door to the database: nobody but its user, and root, may enter. */
export async function makeSocketFolder(path: string, owner: Owner): Promise<void> {
  const isNew = await mkdir(path, { mode: 0o700 }).then(
    () => true,
    () => false,
  );
  if (isNew) await chown(path, owner.uid, owner.gid);
  const found = await lstat(path).catch(() => undefined);
  // In a folder where everyone may write, somebody else may have been first.
  if (found === undefined || !found.isDirectory() || found.uid !== owner.uid) {
    throw new PostgresProblem(`${path} is needed for the database's socket, but is not its own.`);
  }
  await chmod(path, 0o700);
}
