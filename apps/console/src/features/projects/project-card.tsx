import { type Badge, type ProjectResource, ROUTES } from '@longshore/contract';
import { clsx } from 'clsx';
import { memo } from 'react';
import { deepEqual } from '../../lib/deep-equal.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { LinkCard } from './link-card.tsx';
import { MESSAGES } from './messages.ts';
import type { ProjectCardView } from './model/cards.ts';
import { ProjectMenu } from './project-menu.tsx';

const DOT: Record<Badge, string> = {
  Ready: 'bg-ok',
  Loading: 'bg-busy animate-pulse',
  Error: 'bg-bad',
  Hibernated: 'bg-line-strong',
  Unknown: 'bg-line-strong',
};
const MAX_DOTS = 10;

type ProjectCardProps = { card: ProjectCardView; project: ProjectResource };

/** Memoised: in a list of 200 cards only the changed one renders again. */
export const ProjectCard = memo(Card, deepEqual);

function Card({ card, project }: ProjectCardProps) {
  return (
    <LinkCard
      name={card.name}
      to={ROUTES.project(card.id)}
      corner={
        <div className="relative z-10 -mt-1.5 -mr-2">
          <ProjectMenu project={project} apps={card.apps} />
        </div>
      }
      footer={
        <>
          <span className="flex items-center gap-1" aria-hidden="true">
            {card.apps.slice(0, MAX_DOTS).map(({ id, badge }) => (
              <span key={id} className={clsx('size-2 rounded-full', DOT[badge])} />
            ))}
            {card.apps.length > MAX_DOTS && (
              <span className="ml-0.5">+{card.apps.length - MAX_DOTS}</span>
            )}
          </span>
          <span>
            {MESSAGES.created} <TimeAgo at={card.createdAt} />
          </span>
        </>
      }
    >
      <p className="mt-1 text-muted">{card.countLabel}</p>
    </LinkCard>
  );
}
