import { Link } from 'react-router';
import { useUser } from '../../client/session-context.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { Card } from '../../ui/card.tsx';
import { GitBranch } from '../../ui/icons.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';
import { releaseRows, type UnfinishedOutcome } from './model/release-rows.ts';
import { OutcomeBadge } from './release-item.tsx';
import { RevisionCode } from './revision-code.tsx';
import type { ReleasesState } from './use-releases.ts';

type CurrentReleaseCardProps = {
  state: ReleasesState;
  /** Number of the release that serves, if it is not the newest one that went live. */
  serving: number | undefined;
  unfinished: UnfinishedOutcome;
  /** Path of the deployments. */
  to: string;
};

/** The release that serves: what changed, commit, branch, and who caused it. Nothing before the first one. */
export function CurrentReleaseCard({ state, serving, unfinished, to }: CurrentReleaseCardProps) {
  const { id: viewerId } = useUser();
  const texts = MESSAGES.current;
  const rows = state.kind === 'ready' ? releaseRows(state.releases, { viewerId, unfinished }) : [];
  const row =
    rows.find(({ release }) => release.number === serving) ??
    rows.find(({ outcome }) => outcome === 'live');
  if (row === undefined) return null;
  const { release, outcome, change, cause } = row;
  const { source } = release.values;
  const isNewest = release === rows[0]?.release;
  return (
    <Card
      title={isNewest ? texts.title : texts.serving}
      actions={
        <Link to={to} className={buttonStyle('ghost', 'small', '-mr-2')}>
          {texts.all}
        </Link>
      }
    >
      <div className="grid gap-2 px-4 py-3.5">
        <div className="flex items-center gap-2">
          <p className="font-semibold tabular-nums">{MESSAGES.releaseNumber(release.number)}</p>
          <OutcomeBadge outcome={outcome} />
          <p className="ml-auto text-xs text-muted">
            <TimeAgo at={release.endedAt ?? release.startedAt} />
          </p>
        </div>
        {change !== '' && (
          <p title={change} className="line-clamp-3 font-medium">
            {change}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-[0.8125rem] text-muted">
          <RevisionCode release={release} />
          {source.enabled && (
            <span className="inline-flex min-w-0 items-center gap-1">
              <GitBranch size={14} aria-hidden="true" className="shrink-0" />
              <span className="wrap-anywhere">{source.ref}</span>
            </span>
          )}
        </div>
        {cause !== undefined && (
          <p className="text-[0.8125rem] wrap-anywhere text-muted">{cause}</p>
        )}
      </div>
    </Card>
  );
}
