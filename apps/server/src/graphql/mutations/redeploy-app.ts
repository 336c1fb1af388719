import { deployAnew } from './deploy-anew.ts';
import { lockedApp } from './locked-app.ts';
import type { Write } from './write.ts';

/**
 * Wishes an app made anew of the same values: its branch or tag may mean something newer by now. Answers which app it
 * was, if it is the caller's.
 */
export async function redeployApp(id: string, write: Write): Promise<string[]> {
  if ((await lockedApp(id, write)) === undefined) return [];
  await write.tx
    .updateTable('public.resources')
    .set(deployAnew(write))
    .where('id', '=', id)
    .execute();
  return [id];
}
