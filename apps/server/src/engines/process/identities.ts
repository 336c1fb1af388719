import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Identity } from '../../processes/identity.ts';
import { assignId, type IdRange } from '../../sandbox/id-range.ts';
import { appLayout, appsFolder } from './layout.ts';

/** The user that each app runs as. Without a range, all apps run as the server's own user. */
export type Identities = {
  /** Creates the app's folder and assigns its user. Undefined: the server's own user. */
  assign(appId: string): Identity | undefined;
  /** The assigned user. Undefined also when the app has no folder. */
  find(appId: string): Identity | undefined;
  /** Whether this uid belongs to an app, of this data directory or another one. */
  isAppUid(uid: number): boolean;
};

/**
 * The group of an app's folder stores the app's id. The folder's owner stays the server's user, so that the app cannot
 * replace a folder that the server writes to by a link. All calls are synchronous, so two new apps never get the same id.
 */
export function createIdentities(dataDir: string, range: IdRange | undefined): Identities {
  function isAppUid(uid: number): boolean {
    return range !== undefined && uid >= range.first && uid < range.first + range.count;
  }

  function find(appId: string): Identity | undefined {
    const id = readGroupId(appLayout(dataDir, appId).app);
    return id !== undefined && isAppUid(id) ? { uid: id, gid: id } : undefined;
  }

  function assign(appId: string): Identity | undefined {
    const { app } = appLayout(dataDir, appId);
    mkdirSync(appsFolder(dataDir), { recursive: true, mode: 0o711 });
    mkdirSync(app, { recursive: true, mode: 0o700 });
    if (range === undefined) return undefined;
    const assigned = find(appId);
    if (assigned !== undefined) return assigned;
    const id = assignId(`${dataDir}\n${appId}`, range, takenIds(dataDir));
    chownSync(app, process.geteuid?.() ?? 0, id);
    chmodSync(app, 0o750);
    return { uid: id, gid: id };
  }

  return { assign, find, isAppUid };
}

function takenIds(dataDir: string): Set<number> {
  const folders = readdirSync(appsFolder(dataDir)).map((name) => join(appsFolder(dataDir), name));
  return new Set(folders.map(readGroupId).filter((id) => id !== undefined));
}

function readGroupId(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.gid;
}
