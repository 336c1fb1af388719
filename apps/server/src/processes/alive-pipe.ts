import { closeSync, constants, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { run } from './run.ts';

const TIMEOUT_MS = 5_000;

/** Creates the pipe whose write end a program holds open until it exits. */
export async function createAlivePipe(path: string, signal: AbortSignal): Promise<void> {
  const argv = ['mkfifo', '-m', '600', '--', path] as const;
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const end = await run({ argv, cwd: '/', env }, { signal, timeoutMs: TIMEOUT_MS });
  if (end.kind !== 'exited' || end.code !== 0) throw new Error('mkfifo failed');
}

/** Opens the pipe for the program. Opened for reading and writing, because opening for writing only waits for a reader. */
export function openAlivePipe(path: string): { fd: number; close(): void } {
  const fd = openSync(path, 'r+');
  return { fd, close: () => closeSync(fd) };
}

/**
 * Calls `released` once: when no process holds the pipe any more, or when the pipe is of no use because its holder closed it
 * or wrote to it. Returns a function that stops watching.
 */
export function watchAlivePipe(path: string, released: () => void): () => void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!isHeld(fd)) {
    closeSync(fd);
    released();
    return () => {};
  }
  const socket = new Socket({ fd, readable: true, writable: false });
  socket.unref();
  socket.once('data', () => socket.destroy());
  socket.once('end', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.once('close', released);
  return () => {
    socket.off('close', released);
    socket.destroy();
  };
}

/** A pipe that no process held when it was opened never reports an end, so this is checked first. */
function isHeld(fd: number): boolean {
  try {
    readSync(fd, Buffer.alloc(1));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN';
  }
}
