import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 100;

/**
 * Polls the arguments of all processes. The returned function stops and returns the command lines that contained the
 * text.
 */
export function watchProcessArguments(text: string): () => Promise<string[]> {
  const stopping = new AbortController();
  const seen = new Set<string>();

  async function collect(): Promise<void> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    for (const pid of pids) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (command.includes(text)) seen.add(command.replaceAll('\0', ' '));
    }
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      await collect();
      await delay(POLL_INTERVAL_MS);
    }
  }

  const polling = poll();
  return async () => {
    stopping.abort();
    await polling;
    return [...seen];
  };
}
