import { closeSync, constants, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { run } from './run.ts';

const TIMEOUT_MS = 5_000;

/** Makes the pipe whose writing end a program holds while it lives. */
export async function createAlivePipe(path: string, signal: AbortSignal): Promise<void> {
  const argv = ['mkfifo', '-m', '600', '--', path] as const;
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const end = await run({ argv, cwd: '/', env }, { signal, timeoutMs: TIMEOUT_MS });
  if (end.kind !== 'exited' || end.code !== 0) throw new Error('mkfifo failed');
}

/** For the program to hold. Opened both ways, because opening for writing alone waits for a reader. */
export function openAlivePipe(path: string): { fd: number; close(): void } {
  const fd = openSync(path, 'r+');
  return { fd, close: () => closeSync(fd) };
}

/**
 * Calls back once, when nobody holds the pipe any longer, or when it can no longer tell: its holder closed it
 * or wrote into it. Answers how to stop.
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

/** A pipe that nobody held when we opened it never tells its end, so it is asked first. */
function isHeld(fd: number): boolean {
  try {
    readSync(fd, Buffer.alloc(1));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN';
  }
}
