import {
  type AppResource,
  isEmptyDiff,
  isHibernated,
  parseStatusMessage,
  type Release,
  type ReleaseDiff,
  releaseDiff,
  retainedReleases,
} from '@longshore/contract';
import { shortRevision } from '../../../lib/short-revision.ts';
import { MESSAGES } from '../messages.ts';
import { rolledBack } from './rolled-back.ts';
import { whoOf } from './who.ts';

export type ShownOutcome = keyof typeof MESSAGES.outcomes;

/** A release of an app that fails is under way only to be tried again; one of an app that sleeps waits. */
export type UnfinishedOutcome = Extract<ShownOutcome, 'in-progress' | 'retrying' | 'paused'>;

export type ReleaseRow = {
  release: Release;
  outcome: ShownOutcome;
  /** How it differs from the one before it. */
  what: string;
  /** Who or what caused it; undefined when it is not known. */
  who: string | undefined;
  /** Why it failed. */
  reason: string | undefined;
  revision: string;
  canRollBack: boolean;
};

export type Look = { viewerId: string; unfinished: UnfinishedOutcome };

export function unfinishedOutcome({ values, status }: AppResource): UnfinishedOutcome {
  if (isHibernated(values)) return 'paused';
  return status === 'backoff' ? 'retrying' : 'in-progress';
}

/** The history as it is shown, newest first. */
export function releaseRows(releases: Release[], { viewerId, unfinished }: Look): ReleaseRow[] {
  const kept = retainedReleases(releases);
  const [newest] = releases;
  return releases.map((release, at) => ({
    release,
    outcome: outcomeOf(release, kept[0], unfinished),
    what: whatOf(release, releases[at + 1]),
    who: whoOf(release.cause, viewerId),
    reason: release.outcome === 'failed' ? headlineOf(release) : undefined,
    revision: shortRevision(release.revision ?? ''),
    canRollBack:
      kept.includes(release) && newest !== undefined && newest !== release
        ? !isEmptyDiff(releaseDiff(newest, rolledBack(release)))
        : false,
  }));
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
  }
}

function headlineOf({ message }: Release): string {
  return parseStatusMessage('backoff', message).headline;
}

function whatOf(release: Release, before: Release | undefined): string {
  // Who went back says so.
  if (release.cause?.kind === 'rollback') return '';
  if (release.buildReusedFrom !== undefined) return MESSAGES.rolledBackTo(release.buildReusedFrom);
  if (before === undefined) return release.number === 1 ? MESSAGES.first : '';
  return summary(releaseDiff(before, release));
}

/** A commit that is not known yet is no change. */
function summary({ settings, env }: ReleaseDiff): string {
  const wishes = settings.filter(({ name }) => name !== 'Commit' && name !== 'Digest');
  const names = [
    ...wishes.map(({ name }) => name.toLowerCase()),
    ...[env.added, env.changed, env.removed].flat(),
  ];
  if (names.length > 0) return MESSAGES.changed(names.join(', '));
  const revision = settings.find(({ after }) => after !== '');
  if (revision === undefined) return MESSAGES.redeployed;
  return revision.name === 'Digest' ? MESSAGES.newImage : MESSAGES.newCommit;
}
