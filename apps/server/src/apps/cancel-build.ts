import { progressMessage, type ReleaseOutcome } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { ResourceProblem, updateResource } from '../db/resources.ts';
import { type Editor, lockApp } from './change-app.ts';
import { endRelease, findOutcome } from './releases.ts';

export type Cancellation = { appId: string; release: number };

/** Why a release that has ended cannot be cancelled. */
const ENDED: Record<Exclude<ReleaseOutcome, 'cancelled'>, string> = {
  live: 'is already live',
  failed: 'has already failed',
  superseded: 'was already superseded by a newer release',
};

/**
 * Cancels a release that is in progress. First the release ends, so that it cannot go live any more. Then the new generation
 * makes the reconciler abort its work. Returns false if the app does not exist or the editor may not change it.
 */
export async function cancelBuild(
  tx: Database,
  { appId, release: number }: Cancellation,
  editor: Editor,
): Promise<boolean> {
  if ((await lockApp(tx, appId, editor)) === undefined) return false;
  if (!(await endRelease(tx, { appId, number, outcome: 'cancelled' }))) {
    await requireCancelled(tx, { appId, release: number });
    return true;
  }
  await updateResource(tx, appId, {
    generation: sql<string>`generation + 1`,
    updated_at: sql<Date>`now()`,
    status: 'syncing',
    message: progressMessage('cancelling'),
  });
  return true;
}

/** Cancelling twice is fine. */
async function requireCancelled(tx: Database, { appId, release }: Cancellation): Promise<void> {
  const outcome = await findOutcome(tx, appId, release);
  if (outcome === 'cancelled') return;
  if (outcome === undefined) {
    throw new ResourceProblem('invalid', `Release ${release} does not exist`);
  }
  throw new ResourceProblem('conflict', `Release ${release} ${ENDED[outcome]}`);
}
