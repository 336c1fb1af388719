import { type AppValues, isHibernated } from './app-values.ts';
import type { ReleaseOutcome } from './release.ts';
import { needsRelease } from './release-wish.ts';
import { type Built, isSameBuild } from './same-build.ts';
import { isSameJson } from './same-json.ts';

/** What becomes of an app that runs when its values are edited. */
export type EditEffect =
  /** The values are the same: nothing is saved. */
  | 'nothing'
  /** What runs goes on running, perhaps at another address. */
  | 'stays'
  /** The same release starts once more, in another place. */
  | 'moves'
  /** A new release, of something that was built before. */
  | 'reuses'
  | 'builds'
  /** Nothing runs, and nothing will before it is woken. */
  | 'sleeps';

export type EditedApp = {
  /** Its status, which tells whether it runs. */
  status: string;
  /** How the newest release ended; undefined while it is under way. */
  outcome: ReleaseOutcome | undefined;
  /** Releases whose build is there. */
  built: Built[];
  /** Whether the apps of a project find each other by name. */
  hasPlaces: boolean;
};

/** The console tells it before an edit; the reconciler decides by the same rules after it. */
export function editEffect(before: AppValues, after: AppValues, app: EditedApp): EditEffect {
  const isSame = isSameJson(before, after);
  if (isSame && !triesAgain(after, app.status)) return 'nothing';
  if (isHibernated(after)) return 'sleeps';
  if (isSame || needsRelease(before, after) || !outlivesEdit(app.outcome)) {
    return app.built.some((built) => isSameBuild(after, built)) ? 'reuses' : 'builds';
  }
  return app.hasPlaces && !isSamePlace(before, after) ? 'moves' : 'stays';
}

/** Saving the same values is no edit, but for an app that fails: what they name may have been mended. */
export function triesAgain(values: AppValues, status: string): boolean {
  return status === 'backoff' && !isHibernated(values);
}

/** A failed release stands until the next edit of any kind, so that saving again tries again. */
export function outlivesEdit(outcome: ReleaseOutcome | undefined): boolean {
  return outcome === undefined || outcome === 'live';
}

type Place = Pick<AppValues, 'projectId' | 'name'>;

/** Whether the other apps of the project find it where they look for it. */
export function isSamePlace(one: Place, other: Place): boolean {
  return one.projectId === other.projectId && one.name === other.name;
}
