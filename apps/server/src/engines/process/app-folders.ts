import { chmod, chown, mkdir } from 'node:fs/promises';
import type { Identity } from '../../processes/identity.ts';
import type { EngineDeps } from './deps.ts';
import { appLayout } from './layout.ts';

/** Creates the folders of an app; returns the user it runs as. */
export async function prepareApp(
  appId: string,
  { dataDir, identities }: EngineDeps,
): Promise<Identity | undefined> {
  const identity = identities.assign(appId);
  const layout = appLayout(dataDir, appId);
  await mkdir(layout.records, { recursive: true, mode: 0o700 });
  await mkdir(layout.releases, { recursive: true, mode: 0o700 });
  if (identity !== undefined) {
    await chown(layout.releases, process.geteuid?.() ?? 0, identity.gid);
    await chmod(layout.releases, 0o750);
  }
  for (const folder of [layout.home, layout.temporary]) await createOwnedFolder(folder, identity);
  return identity;
}

/** Creates a folder that only the app can access. Its parent must belong to the server. */
async function createOwnedFolder(folder: string, identity: Identity | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
}
