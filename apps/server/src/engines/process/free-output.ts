import { run } from '../../processes/run.ts';

const TIMEOUT_MS = 10_000;

/**
 * Frees the disk space of the first bytes of an output file. Unlike truncation this is safe while the app writes. Returns
 * whether the file system supports it.
 */
export async function freeOutput(path: string, bytes: number): Promise<boolean> {
  const argv = ['fallocate', '--punch-hole', '--offset', '0', '--length', String(bytes), path];
  const command = {
    argv: argv as [string, ...string[]],
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  };
  const end = await run(command, {
    signal: new AbortController().signal,
    timeoutMs: TIMEOUT_MS,
  });
  return end.kind === 'exited' && end.code === 0;
}
