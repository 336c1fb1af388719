import { type Badge, type ProjectResource, ROUTES } from '@longshore/contract';
import { clsx } from 'clsx';
import { Link } from 'react-router';
import { CARD_STYLE } from '../../ui/card.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import type { ProjectCardView } from './model/project-cards.ts';
import { ProjectMenu } from './project-menu.tsx';

const DOT: Record<Badge, string> = {
  Ready: 'bg-ok',
  Loading: 'bg-busy animate-pulse',
  Error: 'bg-bad',
  Hibernated: 'bg-line-strong',
  Unknown: 'bg-line-strong',
};
const MOST_DOTS = 12;

type ProjectCardProps = { card: ProjectCardView; project: ProjectResource };

/** The whole card is the link; the menu lies above it. */
export function ProjectCard({ card, project }: ProjectCardProps) {
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
            to={ROUTES.project(card.id)}
            className="rounded-box after:absolute after:inset-0 after:rounded-box focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent-ink"
          >
            {card.name}
          </Link>
        </h2>
        <div className="relative z-10 -mt-1.5 -mr-2">
          <ProjectMenu project={project} appCount={card.appCount} />
        </div>
      </div>
      <p className="text-muted">{card.countLabel}</p>
      <div className="mt-auto flex items-center justify-between gap-3 text-xs text-faint">
        <span className="flex gap-1" aria-hidden="true">
          {card.badges.slice(0, MOST_DOTS).map((badge, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: dots have no identity, only a place
            <span key={position} className={clsx('size-2 rounded-full', DOT[badge])} />
          ))}
        </span>
        <span>
          Created <TimeAgo at={card.createdAt} />
        </span>
      </div>
    </li>
  );
}
