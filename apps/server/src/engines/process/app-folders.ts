import { chmod, chown, mkdir } from 'node:fs/promises';
import type { Identity } from '../../processes/identity.ts';
import type { EngineParts } from './deps.ts';
import { appLayout } from './layout.ts';

/** Makes the folders of an app; answers whom it runs as. */
export async function prepareApp(
  appId: string,
  { home, identities }: EngineParts,
): Promise<Identity | undefined> {
  const identity = identities.claim(appId);
  const layout = appLayout(home, appId);
  await mkdir(layout.records, { recursive: true, mode: 0o700 });
  await mkdir(layout.releases, { recursive: true, mode: 0o700 });
  if (identity !== undefined) {
    await chown(layout.releases, process.geteuid?.() ?? 0, identity.gid);
    await chmod(layout.releases, 0o750);
  }
  for (const folder of [layout.home, layout.temporary]) await makeOwned(folder, identity);
  return identity;
}

/** A folder that belongs to the app alone. The one above it must be ours. */
async function makeOwned(folder: string, identity: Identity | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
}
