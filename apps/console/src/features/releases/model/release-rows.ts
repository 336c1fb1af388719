import {
  type AppResource,
  isHibernated,
  isSameMake,
  keptReleases,
  type Release,
  type ReleaseDiff,
  releaseDiff,
  statusMessage,
} from '@longshore/contract';
import { shortRevision } from '../../../lib/short-revision.ts';
import { MESSAGES } from '../messages.ts';
import { rolledBack } from './rolled-back.ts';
import { whoOf } from './who.ts';

export type OutcomeLabel = 'Live' | 'Replaced' | 'Failed' | 'Superseded' | UnfinishedLabel;

/** A release of an app that fails is under way only to be tried again; one of an app that sleeps waits. */
export type UnfinishedLabel = 'In progress' | 'Retrying' | 'Paused';

export type ReleaseRow = {
  release: Release;
  outcome: OutcomeLabel;
  /** How it differs from the one before it. */
  what: string;
  /** Who or what caused it; undefined when it is not known. */
  who: string | undefined;
  /** Why it failed. */
  reason: string | undefined;
  revision: string;
  canRollBack: boolean;
};

export type Look = { viewerId: string; unfinished: UnfinishedLabel };

export function unfinishedLabel({ values, status }: AppResource): UnfinishedLabel {
  if (isHibernated(values)) return 'Paused';
  return status === 'backoff' ? 'Retrying' : 'In progress';
}

/** The history as it is shown, newest first. */
export function releaseRows(releases: Release[], { viewerId, unfinished }: Look): ReleaseRow[] {
  const kept = keptReleases(releases);
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
        ? !isSameMake(releaseDiff(newest, rolledBack(release)))
        : false,
  }));
}

function outcomeOf(
  { outcome, number }: Release,
  live: Release | undefined,
  unfinished: UnfinishedLabel,
): OutcomeLabel {
  switch (outcome) {
    case undefined:
      return unfinished;
    case 'live':
      return number === live?.number ? 'Live' : 'Replaced';
    case 'failed':
      return 'Failed';
    case 'superseded':
      return 'Superseded';
  }
}

function headlineOf({ message }: Release): string {
  return statusMessage('backoff', message).headline;
}

function whatOf(release: Release, before: Release | undefined): string {
  // Who went back says so.
  if (release.cause?.kind === 'rollback') return '';
  if (release.from !== undefined) return `Back to release ${release.from}`;
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
  if (names.length > 0) return `Changed ${names.join(', ')}`;
  const revision = settings.find(({ after }) => after !== '');
  if (revision === undefined) return MESSAGES.again;
  return revision.name === 'Digest' ? MESSAGES.newImage : MESSAGES.newCommit;
}
