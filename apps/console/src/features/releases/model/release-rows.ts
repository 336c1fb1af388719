import {
  type AppResource,
  type AppValues,
  isEmptyDiff,
  isHibernated,
  type Pin,
  parseStatusMessage,
  pausedText,
  pinnedRevisionText,
  pinRevision,
  type Release,
  type ReleaseActor,
  type ReleaseCause,
  type ReleaseDiff,
  type ReleaseInputs,
  releaseDiff,
  retainedReleases,
} from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

export type ShownOutcome = keyof typeof MESSAGES.outcomes;

/** Outcome of a release that has not ended: retrying while the app fails, paused while it is hibernated. */
export type UnfinishedOutcome = Extract<ShownOutcome, 'in-progress' | 'retrying' | 'paused'>;

export type ReleaseRow = {
  release: Release;
  outcome: ShownOutcome;
  /** Difference from the release before it. */
  change: string;
  /** Undefined for releases without a recorded cause. */
  cause: string | undefined;
  /** Why it failed. */
  reason: string | undefined;
  canRollBack: boolean;
};

export type RowOptions = { viewerId: string; unfinished: UnfinishedOutcome };

export function unfinishedOutcome({ values, status }: AppResource): UnfinishedOutcome {
  if (isHibernated(values)) return 'paused';
  return status === 'backoff' ? 'retrying' : 'in-progress';
}

/** Expects and returns the newest release first. */
export function releaseRows(
  releases: Release[],
  { viewerId, unfinished }: RowOptions,
): ReleaseRow[] {
  const retained = retainedReleases(releases);
  const [newest] = releases;
  return releases.map((release, index) => ({
    release,
    outcome: outcomeOf(release, retained[0], unfinished),
    change: changeText(release, releases[index + 1]),
    cause: causeText(release.cause, viewerId),
    reason: release.outcome === 'failed' ? headlineOf(release) : undefined,
    canRollBack:
      retained.includes(release) && newest !== undefined && newest !== release
        ? !isEmptyDiff(releaseDiff(newest, rollbackInputs(release)))
        : false,
  }));
}

/** The cancelled newest release, and the one that serves instead. Expects the newest release first. */
export function cancelledUpdate([newest, ...earlier]: Release[]):
  | { release: number; serving: number }
  | undefined {
  const serving = earlier.find(({ outcome }) => outcome === 'live');
  if (newest?.outcome !== 'cancelled' || serving === undefined) return undefined;
  return { release: newest.number, serving: serving.number };
}

function outcomeOf(
  { outcome, number }: Release,
  live: Release | undefined,
  unfinished: UnfinishedOutcome,
): ShownOutcome {
  switch (outcome) {
    case undefined:
      return unfinished;
    case 'live':
      return number === live?.number ? 'live' : 'replaced';
    case 'failed':
      return 'failed';
    case 'superseded':
      return 'superseded';
    case 'cancelled':
      return 'cancelled';
  }
}

function headlineOf({ message }: Release): string {
  return parseStatusMessage('backoff', message).headline;
}

function changeText(release: Release, before: Release | undefined): string {
  const { cause } = release;
  if (cause?.kind === 'rollback') return MESSAGES.rolledBackTo(cause.to);
  if (cause?.kind === 'upload') return MESSAGES.uploaded(sizeText(cause.bytes));
  if (cause?.kind === 'push' && cause.subject !== '') return cause.subject;
  // Before causes were recorded, only rollbacks reused a build.
  if (cause === undefined && release.buildReusedFrom !== undefined) {
    return MESSAGES.rolledBackTo(release.buildReusedFrom);
  }
  if (before === undefined) return release.number === 1 ? MESSAGES.first : '';
  return diffText(releaseDiff(before, release));
}

/** A commit that is not resolved yet is not a change. */
function diffText({ settings, env }: ReleaseDiff): string {
  const changedSettings = settings.filter(({ name }) => name !== 'Commit' && name !== 'Digest');
  const names = [
    ...changedSettings.map(({ name }) => name.toLowerCase()),
    ...[env.added, env.changed, env.removed].flat(),
  ];
  if (names.length > 0) return MESSAGES.changed(names.join(', '));
  const revision = settings.find(({ after }) => after !== '');
  if (revision === undefined) return MESSAGES.redeployed;
  return revision.name === 'Digest' ? MESSAGES.newImage : MESSAGES.newCommit;
}

/** Inputs of the release that a rollback to this one creates. */
export function rollbackInputs({ values, envVersions, revision }: Release): ReleaseInputs {
  const pinned = revision === undefined ? values : pinRevision(revision, values);
  return { values: pinned, envVersions, revision };
}

/** What a pinned app stays at, and what ends that. */
export function pinTexts(values: AppValues, pin: Pin, isPushOn: boolean) {
  const isGit = values.source.enabled;
  const headline = isPushOn
    ? pausedText(values, pin)
    : MESSAGES.pinned(pin.release, pinnedRevisionText(values));
  const resume = isGit
    ? MESSAGES.resumeCommit(pin.follows, isPushOn)
    : MESSAGES.resumeImage(pin.follows);
  return { headline, details: `${MESSAGES.staysPinned(isGit ? 'commit' : 'digest')} ${resume}` };
}

/** The actor is "you" if it is the user who views the release. */
export function causeText(cause: ReleaseCause | undefined, viewerId: string): string | undefined {
  switch (cause?.kind) {
    case undefined:
      return undefined;
    case 'edit':
    case 'upload':
    case 'rollback':
      return MESSAGES.by(nameOf(cause.actor, viewerId));
    case 'push':
      return MESSAGES.push(cause.ref, cause.by);
    case 'deploy-hook':
      return MESSAGES.deployHook;
  }
}

function nameOf(actor: ReleaseActor | undefined, viewerId: string): string {
  if (actor === undefined) return MESSAGES.operator;
  const name = actor.userId === viewerId ? MESSAGES.you : actor.name || MESSAGES.otherUser;
  return actor.token === undefined ? name : MESSAGES.withToken(name, actor.token);
}

const KILOBYTE = 1_024;

/** For example "1.2 MB". */
function sizeText(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} bytes`;
  const megabytes = bytes / KILOBYTE ** 2;
  return megabytes < 1 ? `${Math.round(bytes / KILOBYTE)} kB` : `${megabytes.toFixed(1)} MB`;
}
