import { chmod, copyFile, link, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isOpenFile } from './reachable.ts';

/** Copies a file or folder so that every user can read it. Costs no space where hard links are possible. */
export async function copyTree(from: string, to: string): Promise<void> {
  const entry = await lstat(from);
  if (entry.isSymbolicLink()) return await symlink(await readlink(from), to);
  if (!entry.isDirectory()) return await copyOneFile(from, to, entry.mode);
  await mkdir(to);
  await chmod(to, 0o755);
  for (const name of await readdir(from)) await copyTree(join(from, name), join(to, name));
}

async function copyOneFile(from: string, to: string, mode: number): Promise<void> {
  // A link shares its permissions with the original, which is not ours to open.
  if (isOpenFile({ path: from, mode }) && (await linked(from, to))) return;
  await copyFile(from, to);
  await chmod(to, (mode & 0o100) === 0 ? 0o644 : 0o755);
}

/** Refused across file systems, and to users who do not own the file. */
async function linked(from: string, to: string): Promise<boolean> {
  return await link(from, to).then(
    () => true,
    () => false,
  );
}
