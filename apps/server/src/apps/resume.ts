import { withoutPin } from '@longshore/contract';
import type { Database } from '../db/database.ts';
import { changeApp, type EditContext, lockAppWithValues } from './change-app.ts';

/**
 * Ends the pin of a rollback: the app follows its branch, tag or image name again, and deploys what that names now. Changes
 * nothing without a pin. Returns false if the app does not exist or the editor may not change it.
 */
export async function resumeApp(
  tx: Database,
  appId: string,
  context: Pick<EditContext, 'editor' | 'rules'>,
): Promise<boolean> {
  const app = await lockAppWithValues(tx, appId, context);
  if (app === undefined) return false;
  if (app.pin === undefined) return true;
  const change = {
    deleted: false,
    values: withoutPin(app.values, app.pin),
    chartVersion: undefined,
  };
  await changeApp(tx, app, change, context);
  return true;
}
