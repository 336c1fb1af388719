import { lstat, rmdir } from 'node:fs/promises';
import type { Identity } from '../../processes/identity.ts';
import { run } from '../../processes/run.ts';

const TIMEOUT_MS = 10 * 60_000;

/**
 * Removes a folder that an app may be changing at this moment. The folder's owner does it: with more rights, a link
 * put in the way could make us remove something else. Only the folder itself, which lies in ours, is left to us.
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
  // Folders that even their owner may not write.
  await attempt('chmod', '-R', 'u+rwx', '--', path);
  await attempt('rm', '-rf', '--', path);
  if (!(await isRemoved(path))) throw new Error(`${path} could not be removed`);
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
