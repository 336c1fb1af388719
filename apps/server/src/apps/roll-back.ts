import {
  type AppValues,
  exposeMainPort,
  needsRelease,
  type Port,
  pinRevision,
  rollbackPin,
} from '@longshore/contract';
import type { Database } from '../db/database.ts';
import { ResourceProblem, requireGeneration } from '../db/resources.ts';
import { UnreadableSecret } from '../secrets/seal.ts';
import { changeApp, type EditContext, lockAppWithValues } from './change-app.ts';
import { liveReleases, newestReleases, type Release, unsealReleases } from './releases.ts';
import type { Variables } from './variables.ts';

/** `generation`: the generation of the app that the caller has seen, if it is to be compared. */
export type Rollback = { appId: string; release: number; generation: unknown };

/**
 * Restores the values of a stored release, pinned to the commit or digest that it ran; name, domains and sleep stay. A
 * rollback is an edit, checked by the current rules. A rollback to the newest release changes and pins nothing, unless the
 * values were edited since. Returns false if the app does not exist or the editor may not change it.
 */
export async function rollBack(
  tx: Database,
  { appId, release: number, generation }: Rollback,
  { editor, rules }: Pick<EditContext, 'editor' | 'rules'>,
): Promise<boolean> {
  const app = await lockAppWithValues(tx, appId, { editor, rules });
  if (app === undefined) return false;
  const release = await findRelease(tx, { appId, number }, rules.variables);
  requireGeneration(app, generation);
  const [newest] = await newestReleases(tx, appId, 1);
  if (newest?.number === number && !needsRelease(app.values, release.values)) return true;
  const restored = pinRevision(release.revision, release.values);
  const { build: _, run: __, healthCheck: ___, ...others } = app.values;
  const { replicas: ____, processes: _____, ...kept } = others;
  const values = { ...kept, ...restored, ports: exposedPorts(restored.ports, app.values) };
  const change = { deleted: false, values, chartVersion: undefined };
  await changeApp(tx, app, change, {
    editor,
    rules,
    rollback: { to: number, pin: rollbackPin(release) },
  });
  return true;
}

/** A release that served and is still stored, with its variables. */
async function findRelease(
  tx: Database,
  { appId, number }: { appId: string; number: number },
  variables: Variables,
): Promise<Release & { revision: string }> {
  const releases = await liveReleases(tx, appId);
  const found = releases.filter((candidate) => candidate.number === number);
  const [release] = await unsealReleases({ db: tx, variables, appId }, found).catch(unreadable);
  const revision = release?.revision;
  if (release === undefined || !revision) {
    throw new ResourceProblem('invalid', `Release ${number} is no longer stored`);
  }
  return { ...release, revision };

  function unreadable(cause: unknown): never {
    if (!(cause instanceof UnreadableSecret)) throw cause;
    throw new ResourceProblem('invalid', `Release ${number}: ${cause.message}`);
  }
}

/** An app that was private when the release was created may be public now, and a public app needs an exposed port. */
function exposedPorts(ports: Port[], { publicAccess }: AppValues): Port[] {
  const isMissing = publicAccess.enabled && !ports.some(({ expose }) => expose);
  return isMissing ? exposeMainPort(ports) : ports;
}
