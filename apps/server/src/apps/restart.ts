import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { ResourceProblem } from '../db/resources.ts';
import { type Editor, lockApp } from './change-app.ts';

/**
 * Ends the back-off of a failing app, on request of an editor. While the next attempt is under way, nothing is left to do.
 * Returns false if the app does not exist or the editor may not change it.
 */
export async function restartAsEditor(
  tx: Database,
  appId: string,
  editor: Editor,
): Promise<boolean> {
  const app = await lockApp(tx, appId, editor);
  if (app === undefined) return false;
  if (app.status !== 'backoff' || !app.isRetried) {
    throw new ResourceProblem('conflict', 'The app is not waiting to restart');
  }
  await tx
    .updateTable('public.resources')
    .set({ retry: sql`retry || jsonb_build_object('at', now(), 'requested', true)` })
    .where('id', '=', appId)
    .where(sql<boolean>`(retry ->> 'at')::timestamptz > now()`)
    .execute();
  return true;
}
