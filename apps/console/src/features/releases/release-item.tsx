import type { Release } from '@longshore/contract';
import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ChevronDown, ChevronUp } from '../../ui/icons.tsx';
import { Menu, type MenuChoice } from '../../ui/menu.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';
import type { ReleaseRow, ShownOutcome } from './model/release-rows.ts';
import { RevisionCode } from './revision-code.tsx';
import { TimingBar } from './timing-bar.tsx';

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

export function OutcomeBadge({ outcome }: { outcome: ShownOutcome }) {
  return (
    <span
      className={clsx(
        'shrink-0 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        TONES[outcome],
      )}
    >
      {MESSAGES.outcomes[outcome]}
    </span>
  );
}

/** A release that reuses a build has a log if it ran its release command. */
function hasLog({ buildReusedFrom, phases }: Release): boolean {
  return buildReusedFrom === undefined || phases.some(({ phase }) => phase === 'releasing');
}

type ReleaseItemProps = {
  row: ReleaseRow;
  cancel: ReactNode;
  /** Shown inside the row while it is open. */
  buildLog(): ReactNode;
  actions: MenuChoice[];
  onRollBack(): void;
};

/** One release: which, how it ended, what changed, why and by whom, how long each phase took, and what can be done. */
export function ReleaseItem({ row, cancel, buildLog, actions, onRollBack }: ReleaseItemProps) {
  const { release, outcome, change, cause, reason, canRollBack } = row;
  const [isLogOpen, setLogOpen] = useState(false);
  const Chevron = isLogOpen ? ChevronUp : ChevronDown;
  return (
    <li className="grid grid-cols-1">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-5 gap-y-1.5 px-4 py-3 lg:grid-cols-[8.5rem_minmax(0,1fr)_12rem_6.5rem_15rem]">
        <p className="flex items-center gap-2">
          <span className="min-w-7 font-semibold tabular-nums">#{release.number}</span>
          <OutcomeBadge outcome={outcome} />
        </p>
        <div className="grid min-w-0 gap-1 max-lg:order-1 max-lg:col-span-2">
          {change !== '' && (
            <p title={change} className="line-clamp-3 font-medium">
              {change}
            </p>
          )}
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-[0.8125rem] text-muted">
            <RevisionCode release={release} />
            {cause !== undefined && <p className="min-w-0 wrap-anywhere">{cause}</p>}
          </div>
          {reason !== undefined && <p className="text-bad">{reason}</p>}
        </div>
        <div className="max-lg:order-2 max-lg:col-span-2">
          <TimingBar release={release} />
        </div>
        <p className="text-xs leading-5 text-muted max-lg:text-right">
          <TimeAgo at={release.startedAt} />
        </p>
        <div className="flex flex-wrap items-center gap-1 max-lg:order-3 max-lg:col-span-2 lg:-mt-1 lg:justify-end">
          {hasLog(release) && (
            <Button
              kind="ghost"
              size="small"
              className="max-lg:-ml-3"
              aria-expanded={isLogOpen}
              aria-label={MESSAGES.buildLogOf(release.number)}
              onClick={() => setLogOpen(!isLogOpen)}
            >
              {MESSAGES.buildLog}
              <Chevron size={14} aria-hidden="true" />
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
          {actions.length > 0 && (
            <Menu label={MESSAGES.actionsFor(release.number)} choices={actions} />
          )}
        </div>
      </div>
      {isLogOpen && <div className="px-4 pb-4">{buildLog()}</div>}
    </li>
  );
}
