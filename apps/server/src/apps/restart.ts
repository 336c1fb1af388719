import {
  type AppValues,
  decodeServing,
  isHibernated,
  progressMessage,
  type Serving,
  servingNames,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { ResourceProblem, updateResource } from '../db/resources.ts';
import { type Editor, lockApp } from './change-app.ts';
import { newestReleases } from './releases.ts';

/**
 * Restarts an app on request of an editor. A failing app ends its back-off; while its next attempt is under way, nothing is left
 * to do. The serving instances of any other app are replaced by others of the same release, which serve first, also if only
 * another process than `web` fails. Returns false if the app does not exist or the editor may not change it.
 */
export async function restartAsEditor(
  tx: Database,
  appId: string,
  editor: Editor,
): Promise<boolean> {
  const app = await lockApp(tx, appId, editor);
  if (app === undefined) return false;
  const isFailing = app.status === 'backoff' && app.isRetried;
  if (app.status === 'synced' || (isFailing && (await servesNewest(tx, appId)))) {
    await replaceInstances(tx, appId);
  } else if (isFailing) await endBackoff(tx, appId);
  else throw notRestartable(app.status);
  return true;
}

/** Then what fails is another process than `web`, or one of several instances. */
async function servesNewest(tx: Database, appId: string): Promise<boolean> {
  const { serving } = await tx
    .selectFrom('public.resources')
    .select('serving')
    .where('id', '=', appId)
    .executeTakeFirstOrThrow();
  const [newest] = await newestReleases(tx, appId, 1);
  return newest?.outcome === 'live' && decodeServing(serving)?.release === newest.number;
}

function notRestartable(status: string | null): ResourceProblem {
  const message = status === 'syncing' ? 'The app is being updated' : 'The app is not running';
  return new ResourceProblem('conflict', message);
}

async function endBackoff(tx: Database, appId: string): Promise<void> {
  await tx
    .updateTable('public.resources')
    .set({ retry: sql`retry || jsonb_build_object('at', now(), 'requested', true)` })
    .where('id', '=', appId)
    .where(sql<boolean>`(retry ->> 'at')::timestamptz > now()`)
    .execute();
}

function processNames({ processes = [] }: Serving): string[] {
  return processes.flatMap(({ logNames }) => logNames);
}

async function replaceInstances(tx: Database, appId: string): Promise<void> {
  const { serving, values } = await tx
    .selectFrom('public.resources')
    .select(['serving', 'values'])
    .where('id', '=', appId)
    .executeTakeFirstOrThrow();
  const current = decodeServing(serving);
  if (current === undefined || isHibernated(values as AppValues)) {
    throw notRestartable('synced');
  }
  await updateResource(tx, appId, {
    replaced_instance: [...servingNames(current), ...processNames(current)].join(' '),
    generation: sql<string>`generation + 1`,
    updated_at: sql<Date>`now()`,
    status: 'syncing',
    message: progressMessage('starting'),
  });
}
