import { setTimeout as delay } from 'node:timers/promises';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresDeps,
  startPostgres,
} from './start-postgres.ts';

export type SupervisedPostgres = Pick<EmbeddedPostgres, 'connection' | 'stop'>;

export type SupervisorDeps = EmbeddedPostgresDeps & { warn(message: string): void };

const RETRY_MS = 5_000;

/** Starts the embedded Postgres, and restarts it whenever it exits unexpectedly. */
export async function supervisePostgres(deps: SupervisorDeps): Promise<SupervisedPostgres> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let postgres = await startPostgres(deps);
  const supervising = supervise().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    connection: postgres.connection,
    async stop() {
      stopping.abort();
      await supervising;
      await postgres.stop();
    },
  };

  async function supervise(): Promise<void> {
    for (;;) {
      await postgres.ended(signal);
      deps.warn('The database exited unexpectedly. Restarting it.');
      postgres = await restart();
    }
  }

  async function restart(): Promise<EmbeddedPostgres> {
    for (;;) {
      try {
        return await startPostgres({ ...deps, signal });
      } catch (error) {
        signal.throwIfAborted();
        deps.warn(`${(error as Error).message} Retrying in ${RETRY_MS / 1_000} s.`);
        await delay(RETRY_MS, undefined, { signal });
      }
    }
  }
}
