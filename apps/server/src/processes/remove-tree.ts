import { lstat, rmdir } from 'node:fs/promises';
import type { Identity } from './identity.ts';
import { run } from './run.ts';

const TIMEOUT_MS = 10 * 60_000;

/**
 * Removes a folder that an app may be changing at the same time. Runs `rm` as the owner of the folder: with more rights, a
 * symbolic link could redirect the removal to other files. Only the empty folder itself is removed by the server.
 */
export async function removeTree(path: string, signal: AbortSignal): Promise<void> {
  if (await isRemoved(path)) return;
  const identity = await ownerOf(path);
  const attempt = async (...argv: [string, ...string[]]) => {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
    await run({ argv, cwd: '/', env, identity }, { signal, timeoutMs: TIMEOUT_MS });
  };
  await attempt('rm', '-rf', '--', path);
  if (await isRemoved(path)) return;
  // For folders that are not writable by their owner.
  await attempt('chmod', '-R', 'u+rwx', '--', path);
  await attempt('rm', '-rf', '--', path);
  if (!(await isRemoved(path))) throw new Error(`${path} could not be removed`);
}

/** Removes a folder on the disk of an isolated app that no process of the app can see. */
export async function removeUnusedTree(path: string, signal: AbortSignal): Promise<void> {
  const argv = ['rm', '-rf', '--one-file-system', '--', path] as const;
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const end = await run({ argv, cwd: '/', env }, { signal, timeoutMs: TIMEOUT_MS });
  if (end.kind !== 'exited' || end.code !== 0) throw new Error(`${path} could not be removed`);
}

async function ownerOf(path: string): Promise<Identity | undefined> {
  const { uid, gid } = await lstat(path);
  return uid === process.geteuid?.() ? undefined : { uid, gid };
}

async function isRemoved(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
