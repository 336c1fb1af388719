import { readdir, readFile, readlink } from 'node:fs/promises';
import { type Clock, systemClock } from '@longshore/edge-contract';

/** What the Docker Engine calls the programs with which it unpacks an image. */
const UNPACKERS = new Set(['docker-untar', 'docker-applyLayer']);
/** Shorter than a request to an app may be delayed without anybody's notice, and long enough to cost little. */
const PERIOD_MS = 50;

/** The processes of the machine. */
export type Processes = {
  list(): Promise<number[]>;
  /** Its first argument. Undefined when it has ended. */
  nameOf(pid: number): Promise<string | undefined>;
  /** The namespace of its process ids, which containers have of their own. */
  namespaceOf(pid: number | 'self'): Promise<string | undefined>;
};

const processes: Processes = {
  list: async () => (await readdir('/proc')).map(Number).filter(Number.isInteger),
  nameOf: async (pid) =>
    (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined))?.split('\0')[0],
  namespaceOf: async (pid) => await readlink(`/proc/${pid}/ns/pid`).catch(() => undefined),
};

/**
 * Gives the programs with which the Docker Engine unpacks an image the priority of a builder, until `stop`. The engine starts them
 * for a moment and tells nobody, so they are looked for. A program in a container may have any name, and stays where it is.
 */
export function lowerUnpackers(
  lowerPriority: (pid: number) => Promise<void>,
  machine: Processes = processes,
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'> = systemClock,
): { stop(): void } {
  let known = new Set<number>();
  let isStopped = false;
  let timer: unknown;

  async function look(): Promise<void> {
    const pids = await machine.list();
    const fresh = pids.filter((pid) => !known.has(pid));
    known = new Set(pids);
    for (const pid of fresh) {
      if (!UNPACKERS.has((await machine.nameOf(pid)) ?? '')) continue;
      const own = await machine.namespaceOf('self');
      if (own !== undefined && own === (await machine.namespaceOf(pid))) await lowerPriority(pid);
    }
  }

  function schedule(): void {
    if (isStopped) return;
    // Without /proc there is nothing to lower.
    timer = clock.setTimeout(() => void look().then(schedule, () => {}), PERIOD_MS);
  }

  schedule();
  return {
    stop() {
      isStopped = true;
      clock.clearTimeout(timer);
    },
  };
}
