import { setTimeout as delay } from 'node:timers/promises';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresDeps,
  startPostgres,
} from './start-postgres.ts';

export type KeptPostgres = Pick<EmbeddedPostgres, 'connection' | 'stop'>;

const TRY_AGAIN_MS = 5_000;

/** Starts the embedded Postgres, and starts it again whenever it ends without being asked to. */
export async function keepPostgres(deps: EmbeddedPostgresDeps): Promise<KeptPostgres> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let postgres = await startPostgres(deps);
  const kept = keep().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return {
    connection: postgres.connection,
    async stop() {
      stopping.abort();
      await kept;
      await postgres.stop();
    },
  };

  async function keep(): Promise<void> {
    for (;;) {
      await postgres.ended(signal);
      deps.log('The database ended by itself and is started again');
      postgres = await startAgain();
    }
  }

  async function startAgain(): Promise<EmbeddedPostgres> {
    for (;;) {
      try {
        return await startPostgres({ ...deps, signal });
      } catch (error) {
        signal.throwIfAborted();
        deps.log(`${(error as Error).message} It is tried again.`);
        await delay(TRY_AGAIN_MS, undefined, { signal });
      }
    }
  }
}
