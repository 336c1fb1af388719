import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { durationText } from '../../lib/relative-time.ts';
import { Button } from '../../ui/button.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';
import type { ReleaseRow, ShownOutcome } from './model/release-rows.ts';

const TONES: Record<ShownOutcome, string> = {
  live: 'bg-ok-wash text-ok',
  replaced: 'bg-idle-wash text-idle',
  failed: 'bg-bad-wash text-bad',
  superseded: 'bg-idle-wash text-idle',
  cancelled: 'bg-idle-wash text-idle',
  'in-progress': 'bg-busy-wash text-busy',
  retrying: 'bg-bad-wash text-bad',
  paused: 'bg-idle-wash text-idle',
};

type ReleaseItemProps = {
  row: ReleaseRow;
  cancel: ReactNode;
  onRollBack(): void;
  onOpenLog(): void;
};

export function ReleaseItem({ row, cancel, onRollBack, onOpenLog }: ReleaseItemProps) {
  const { release, outcome, change, cause, reason, revision, canRollBack } = row;
  return (
    <li className="grid grid-cols-1 gap-1 px-4 py-3">
      <div className="flex items-center gap-2">
        <span className="font-medium tabular-nums">#{release.number}</span>
        <span className={clsx('rounded-full px-2 py-0.5 text-xs font-medium', TONES[outcome])}>
          {MESSAGES.outcomes[outcome]}
        </span>
        <span className="ml-auto text-xs text-muted">
          <TimeAgo at={release.startedAt} />
        </span>
      </div>
      {change !== '' && (
        <p title={change} className="line-clamp-3">
          {change}
        </p>
      )}
      {cause !== undefined && <p className="wrap-anywhere text-muted">{cause}</p>}
      {reason !== undefined && <p className="text-bad">{reason}</p>}
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2 text-xs text-muted">
        <p className="flex gap-3 tabular-nums">
          {revision !== '' && (
            <code className="font-mono" title={release.revision}>
              {revision}
            </code>
          )}
          <Duration {...release} />
        </p>
        <div className="ml-auto flex gap-1">
          {release.buildReusedFrom === undefined && (
            <Button
              kind="ghost"
              size="small"
              onClick={onOpenLog}
              aria-label={MESSAGES.buildLogOf(release.number)}
            >
              {MESSAGES.buildLog}
            </Button>
          )}
          {cancel}
          {canRollBack && (
            <Button
              size="small"
              onClick={onRollBack}
              aria-label={MESSAGES.rollBackTo(release.number)}
            >
              {MESSAGES.rollBack}
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}

function Duration({ startedAt, endedAt }: { startedAt: string; endedAt: string | undefined }) {
  if (endedAt === undefined) return null;
  const ms = Date.parse(endedAt) - Date.parse(startedAt);
  return <span>{MESSAGES.took(durationText(ms))}</span>;
}
