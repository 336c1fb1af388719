import { type AppResource, type LatestRelease, ROUTES } from '@longshore/contract';
import { clsx } from 'clsx';
import { memo } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { deepEqual } from '../../lib/deep-equal.ts';
import {
  CircleAlert,
  CircleCheck,
  Clock,
  Container,
  ExternalLink,
  GitBranch,
  Globe,
  Lock,
  RefreshCw,
  Upload,
} from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { LinkCard } from './link-card.tsx';
import { MESSAGES } from './messages.ts';
import { type AppCardView, appCard, type DeploymentLine } from './model/cards.ts';

type AppCardProps = {
  app: AppResource;
  latest: LatestRelease | null | undefined;
  /** Hosts with a certificate. */
  secureHosts: readonly string[];
};

/** Memoised: in a list of 200 cards only the changed one renders again. */
export const AppCard = memo(Card, deepEqual);

function Card({ app, latest, secureHosts }: AppCardProps) {
  const { ingress } = useConfig();
  const card = appCard(app, latest, { ...ingress, secureHosts });
  const Icon = ORIGIN_ICONS[card.originKind];
  return (
    <LinkCard
      name={card.name}
      to={ROUTES.app(app.values.projectId, card.id)}
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
      <div className="mt-1 mb-1 grid gap-0.5 text-muted">
        <p className={LINE}>
          <Icon size={14} aria-hidden="true" className="shrink-0" />
          <span title={card.origin} className="truncate font-mono text-[0.8125rem]">
            {card.origin}
          </span>
          {card.ref !== undefined && (
            <span
              title={card.ref}
              className="max-w-2/5 shrink-0 truncate font-mono text-[0.8125rem]"
            >
              · {card.ref}
            </span>
          )}
        </p>
        <Address address={card.address} />
        {card.deployment === undefined ? (
          <p className="h-5" />
        ) : (
          <Deployment {...card.deployment} />
        )}
      </div>
    </LinkCard>
  );
}

const ORIGIN_ICONS = { git: GitBranch, upload: Upload, image: Container };
const LINE = 'flex min-w-0 items-center gap-1.5';

function Address({ address }: Pick<AppCardView, 'address'>) {
  if (address === undefined) {
    return (
      <p className={LINE}>
        <Lock size={14} aria-hidden="true" className="shrink-0" />
        {MESSAGES.notPublic}
      </p>
    );
  }
  return (
    <p className={LINE}>
      <Globe size={14} aria-hidden="true" className="shrink-0" />
      <span title={address.host} className="truncate font-mono text-[0.8125rem]">
        {address.host}
      </span>
      <a
        href={address.url}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={MESSAGES.openApp}
        title={MESSAGES.openApp}
        className="thumb relative z-10 shrink-0 rounded p-0.5 text-accent-ink hover:bg-hover"
      >
        <ExternalLink size={14} aria-hidden="true" />
      </a>
    </p>
  );
}

const ICONS = { ok: CircleCheck, bad: CircleAlert, busy: RefreshCw, idle: Clock };
const TONES = { ok: '', bad: 'text-bad', busy: 'text-busy', idle: '' };

/** Only what failed is red. */
function Deployment({ tone, text, at, serving }: DeploymentLine) {
  const Icon = ICONS[tone];
  return (
    <p className="flex min-w-0 items-start gap-1.5">
      <Icon size={14} aria-hidden="true" className={clsx('mt-1 shrink-0', TONES[tone])} />
      <span className="min-w-0">
        <span className={TONES[tone]}>{text}</span>
        {at !== undefined && (
          <>
            {' · '}
            <TimeAgo at={at} />
          </>
        )}
        {serving !== undefined && ` · ${serving}`}
      </span>
    </p>
  );
}
