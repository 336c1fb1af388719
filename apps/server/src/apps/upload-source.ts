import {
  DEFAULT_INSTANCES,
  NO_UPLOAD_YET,
  type ReleaseValues,
  uploadDigest,
  uploadedSource,
} from '@longshore/contract';
import type { Database } from '../db/database.ts';
import { changeApp, type EditContext, lockAppWithValues } from './change-app.ts';
import { liveReleases, newestReleases } from './releases.ts';

/** An archive that was uploaded for an app. */
export type Upload = { appId: string; digest: string; bytes: number };

/**
 * Makes the upload the source of the app, and requests a release of it, also if the same archive was uploaded before. The
 * first upload starts the app; a hibernated app stays hibernated. Returns the archives that are still needed; undefined if
 * the app does not exist or the editor may not change it.
 */
export async function uploadSource(
  tx: Database,
  { appId, digest, bytes }: Upload,
  { editor, rules }: Pick<EditContext, 'editor' | 'rules'>,
): Promise<string[] | undefined> {
  const app = await lockAppWithValues(tx, appId, { editor, rules });
  if (app === undefined) return undefined;
  const isFirst = app.values.source.url === NO_UPLOAD_YET;
  const values = {
    ...app.values,
    source: uploadedSource(digest),
    instances: isFirst ? DEFAULT_INSTANCES : app.values.instances,
  };
  const change = { deleted: false, values, chartVersion: undefined };
  await changeApp(tx, app, change, { editor, rules, upload: { bytes } });
  // A rollback, a retry and the newest release may need theirs.
  const releases = [...(await liveReleases(tx, appId)), ...(await newestReleases(tx, appId, 1))];
  const used = [app, ...releases].map((each) => digestOf(each.values));
  return [digest, ...used.filter((each) => each !== undefined)];
}

function digestOf({ source }: Pick<ReleaseValues, 'source'>): string | undefined {
  return source.enabled ? uploadDigest(source.url) : undefined;
}
