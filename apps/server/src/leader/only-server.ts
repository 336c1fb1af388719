import { setTimeout as delay } from 'node:timers/promises';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { startCampaign } from './campaign.ts';
import { type DatabaseLockDeps, openDatabaseLock } from './database-lock.ts';

/** A server that was killed, or whose machine vanished, has lost the lock after this time. */
const WAIT_MS = 30_000;

/** Waits until no other server uses the database, and keeps others away until it is stopped. */
export async function becomeOnlyServer(
  deps: DatabaseLockDeps & { signal: AbortSignal; waitMs?: number },
): Promise<{ stop(): Promise<void> }> {
  const { promise: isOnly, resolve } = Promise.withResolvers<true>();
  const campaign = startCampaign({
    openLock: () => openDatabaseLock(deps),
    async lead() {
      resolve(true);
      return { end: async () => {} };
    },
    onError: deps.onError,
  });
  const waitEnd = new AbortController();
  const signal = AbortSignal.any([deps.signal, waitEnd.signal]);
  const waiting = delay(deps.waitMs ?? WAIT_MS, false, { signal });
  try {
    if (await Promise.race([isOnly, waiting])) {
      waiting.catch(() => {});
      waitEnd.abort();
      return campaign;
    }
  } catch (error) {
    await campaign.stop();
    throw error;
  }
  await campaign.stop();
  throw new StartProblem(
    'Another Longshore already uses the database in DATABASE_URL. Several servers need LONGSHORE_STATE=shared.',
  );
}
