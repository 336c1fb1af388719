import { type AppResource, isHibernated, type Release } from '@longshore/contract';
import { Notice } from '../../ui/notice.tsx';
import { MESSAGES } from './messages.ts';
import { cancelledUpdate } from './model/release-rows.ts';

type ReleaseNoticesProps = {
  app: AppResource;
  /** Newest first. */
  history: Release[];
};

/** Why an app does not run the newest release. */
export function ReleaseNotices({ app, history }: ReleaseNoticesProps) {
  const cancelled = cancelledUpdate(history);
  if (cancelled === undefined || app.status !== 'synced' || isHibernated(app.values)) return null;
  return <Notice tone="idle">{MESSAGES.cancelled(cancelled.release, cancelled.serving)}</Notice>;
}
