import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { updateResource } from '../db/resources.ts';
import { type Editor, lockApp } from './change-app.ts';

/** In the event of an edit, beside the names of changed values. */
const CHANGED = 'buildCache';

/** The next build starts without a cache. Returns false if the app does not exist or the editor may not change it. */
export async function clearBuildCache(
  tx: Database,
  appId: string,
  editor: Editor,
): Promise<boolean> {
  const app = await lockApp(tx, appId, editor);
  if (app === undefined) return false;
  await updateResource(tx, appId, { cache_clears: sql<string>`cache_clears + 1` });
  // No value of the app changes, so the trigger of its row records nothing.
  const { ownerId } = app;
  const details = JSON.stringify({ changed: [CHANGED] });
  await tx
    .insertInto('deploy.events')
    .values({ app_id: appId, user_id: ownerId, kind: 'edited', details })
    .execute();
  return true;
}
