import { type AppValues, isHibernated } from './app-values.ts';
import { needsRelease } from './desired-release.ts';
import type { ReleaseOutcome } from './release.ts';
import { type BuiltRelease, canReuseBuild, keepsBuild } from './release-values.ts';
import { replicasOf } from './replicas.ts';
import { isSameJson } from './same-json.ts';

/** What happens to an app when its values are edited. */
export type EditEffect =
  /** The values are the same: nothing is saved. */
  | 'unchanged'
  /** The running instance continues, possibly at another address. */
  | 'keeps-running'
  /** Instances of the same release start or stop; those that stay continue. */
  | 'scales'
  /** The same release restarts under another network name. */
  | 'restarts'
  /** A new release from an existing build. */
  | 'redeploys'
  | 'rebuilds'
  /** The app is hibernated; the edit takes effect when it wakes. */
  | 'stays-hibernated';

export type EditedApp = {
  status: string;
  /** Outcome of the newest release; undefined while it is in progress. */
  outcome: ReleaseOutcome | undefined;
  /** The newest release, if its build exists. */
  newest: BuiltRelease | undefined;
  /** Releases that served and whose build still exists. */
  built: BuiltRelease[];
  /** Whether the engine gives the apps of a project a network in which they reach each other by name. */
  hasProjectNetwork: boolean;
};

/** The console shows it before an edit is saved; the reconciler decides by the same rules afterwards. */
export function editEffect(before: AppValues, after: AppValues, app: EditedApp): EditEffect {
  const isSame = isSameJson(before, after);
  if (isSame && !retriesOnSave(after, app.status)) return 'unchanged';
  if (!isSame && isSameJson(reconciled(before), reconciled(after))) return 'keeps-running';
  if (isHibernated(after)) return 'stays-hibernated';
  if (isSame || needsRelease(before, after) || !survivesEdit(app.outcome)) {
    // Saving unchanged values is a redeploy, for which a branch or tag is read again.
    const isKept = !isSame && app.newest !== undefined && keepsBuild(after, app.newest);
    const isReused = isKept || app.built.some((built) => canReuseBuild(after, built));
    return isReused ? 'redeploys' : 'rebuilds';
  }
  if (app.hasProjectNetwork && !hasSameNetworkName(before, after)) return 'restarts';
  return isSameJson(numbersOf(before), numbersOf(after)) ? 'keeps-running' : 'scales';
}

/** Of instances, by process. */
function numbersOf(values: AppValues): unknown[] {
  const others = Object.entries(values.processes ?? {}).map(([name, { replicas = 1 }]) => [
    name,
    replicas,
  ]);
  return [replicasOf(values), ...others.sort()];
}

/** `hasFailed`: the newest release failed because of its release command. */
type CommandEdit = { before: AppValues; after: AppValues; hasFailed: boolean };

/** Whether an edit with this effect runs the release command: for a new build, or if it has not succeeded with the build. */
export function runsReleaseCommand(effect: EditEffect, edit: CommandEdit): boolean {
  const command = edit.after.run?.releaseCommand;
  if (command === undefined) return false;
  const isChanged = command !== edit.before.run?.releaseCommand;
  return effect === 'rebuilds' || (effect === 'redeploys' && (isChanged || edit.hasFailed));
}

/** Saving unchanged values does nothing, except for a failing app: its source may have been fixed in the meantime. */
export function retriesOnSave(values: AppValues, status: string): boolean {
  return status === 'backoff' && !isHibernated(values);
}

/** Any edit replaces a failed release, so that saving retries it. A cancelled one stays cancelled until it is redeployed. */
export function survivesEdit(outcome: ReleaseOutcome | undefined): boolean {
  return outcome === undefined || outcome === 'live' || outcome === 'cancelled';
}

/** The values that a reconciler acts on. The edge and the webhook use the others, whatever the app does. */
function reconciled({ edge: _, watchPaths: __, ...values }: AppValues) {
  return values;
}

type NetworkName = Pick<AppValues, 'projectId' | 'name'>;

/** Whether other apps of the project reach it under the same name. */
export function hasSameNetworkName(one: NetworkName, other: NetworkName): boolean {
  return one.projectId === other.projectId && one.name === other.name;
}
