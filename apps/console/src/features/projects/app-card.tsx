import { ROUTES } from '@longshore/contract';
import { memo } from 'react';
import { deepEqual } from '../../lib/deep-equal.ts';
import { Container, GitBranch, Globe } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { LinkCard } from './link-card.tsx';
import { MESSAGES } from './messages.ts';
import type { AppCardView } from './model/cards.ts';

type AppCardProps = { projectId: string; card: AppCardView };

/** Memoised: in a list of 200 cards only the changed one renders again. */
export const AppCard = memo(Card, deepEqual);

function Card({ projectId, card }: AppCardProps) {
  const Icon = card.isFromSource ? GitBranch : Container;
  return (
    <LinkCard
      name={card.name}
      to={ROUTES.app(projectId, card.id)}
      corner={<StatusBadge badge={card.badge} />}
      footer={
        <>
          {card.isPublic ? (
            <Pill>
              <Globe size={12} aria-hidden="true" />
              {MESSAGES.isPublic}
            </Pill>
          ) : (
            <span />
          )}
          <span>
            {MESSAGES.updated} <TimeAgo at={card.updatedAt} />
          </span>
        </>
      }
    >
      <p className="mt-1 flex min-w-0 items-center gap-1.5 text-muted">
        <Icon size={14} aria-hidden="true" className="shrink-0" />
        <span title={card.origin} className="truncate font-mono text-[0.8125rem]">
          {card.origin}
        </span>
      </p>
    </LinkCard>
  );
}
