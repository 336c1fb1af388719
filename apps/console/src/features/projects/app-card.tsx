import { ROUTES } from '@longshore/contract';
import { clsx } from 'clsx';
import { Container, GitBranch, Globe } from 'lucide-react';
import { Link } from 'react-router';
import { CARD_STYLE } from '../../ui/card.tsx';
import { Pill } from '../../ui/pill.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import type { AppCardView } from './model/app-cards.ts';

type AppCardProps = { projectId: string; card: AppCardView };

export function AppCard({ projectId, card }: AppCardProps) {
  const Icon = card.isFromSource ? GitBranch : Container;
  return (
    <li
      className={clsx(
        CARD_STYLE,
        'relative flex h-36 flex-col p-4 transition-colors duration-100 hover:border-line-strong hover:bg-raised',
      )}
    >
      <div className="flex items-start justify-between gap-2">
        <h2 className="line-clamp-2 text-[0.9375rem] font-semibold">
          <Link
            title={card.name}
            to={ROUTES.app(projectId, card.id)}
            className="rounded-box after:absolute after:inset-0 after:rounded-box focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent-ink"
          >
            {card.name}
          </Link>
        </h2>
        <StatusBadge badge={card.badge} />
      </div>
      <p className="mt-1 flex min-w-0 items-center gap-1.5 text-muted">
        <Icon size={14} aria-hidden="true" className="shrink-0" />
        <span title={card.origin} className="truncate font-mono text-[0.8125rem]">
          {card.origin}
        </span>
      </p>
      <div className="mt-auto flex items-center justify-between gap-3 text-xs text-faint">
        {card.isPublic ? (
          <Pill>
            <Globe size={12} aria-hidden="true" />
            Public
          </Pill>
        ) : (
          <span />
        )}
        <span>
          Updated <TimeAgo at={card.updatedAt} />
        </span>
      </div>
    </li>
  );
}
