import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Identity } from '../../processes/identity.ts';
import { chooseId, type IdRange } from './id-range.ts';
import { appLayout, appsFolder } from './layout.ts';

/** Whom apps run as. Without a range all of them run as the server's own user. */
export type Identities = {
  /** Makes the app's folder, and with it the app's identity. Undefined: the server's own. */
  claim(appId: string): Identity | undefined;
  /** Undefined as well when the app has no folder. */
  known(appId: string): Identity | undefined;
  /** Whether this is the id of an app, here or in another home. */
  isApps(uid: number): boolean;
};

/**
 * The group of an app's folder is the record of its id. The owner stays the server's user, so that the app cannot
 * replace a folder we work in by a link. All calls are synchronous: two new apps never get the same id.
 */
export function createIdentities(home: string, range: IdRange | undefined): Identities {
  function isApps(uid: number): boolean {
    return range !== undefined && uid >= range.first && uid < range.first + range.count;
  }

  function known(appId: string): Identity | undefined {
    const id = groupOf(appLayout(home, appId).app);
    return id !== undefined && isApps(id) ? { uid: id, gid: id } : undefined;
  }

  function claim(appId: string): Identity | undefined {
    const { app } = appLayout(home, appId);
    mkdirSync(appsFolder(home), { recursive: true, mode: 0o711 });
    mkdirSync(app, { recursive: true, mode: 0o700 });
    if (range === undefined) return undefined;
    const given = known(appId);
    if (given !== undefined) return given;
    const id = chooseId(`${home}\n${appId}`, range, takenIds(home));
    chownSync(app, process.geteuid?.() ?? 0, id);
    chmodSync(app, 0o750);
    return { uid: id, gid: id };
  }

  return { claim, known, isApps };
}

function takenIds(home: string): Set<number> {
  const folders = readdirSync(appsFolder(home)).map((name) => join(appsFolder(home), name));
  return new Set(folders.map(groupOf).filter((id) => id !== undefined));
}

function groupOf(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.gid;
}
