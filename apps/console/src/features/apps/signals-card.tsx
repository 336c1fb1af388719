import { clsx } from 'clsx';
import { Link } from 'react-router';
import { CARD_STYLE } from '../../ui/card.tsx';
import { CircleAlert, CircleCheck, Clock, RefreshCw } from '../../ui/icons.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';
import type { Signal, SignalTone } from './model/signals.ts';

type SignalsCardProps = {
  health: Signal & { to: string };
  lastDeployment: Signal & { to: string };
};

/** Two signals that are never mixed: whether the app serves, and whether its last deployment succeeded. */
export function SignalsCard({ health, lastDeployment }: SignalsCardProps) {
  const { title, health: healthTexts, lastDeployment: deploymentTexts } = MESSAGES.signals;
  return (
    <section
      aria-label={title}
      className={clsx(CARD_STYLE, 'grid divide-line sm:grid-cols-2 sm:divide-x max-sm:divide-y')}
    >
      <SignalPart label={healthTexts.label} {...health} />
      <SignalPart label={deploymentTexts.label} {...lastDeployment} />
    </section>
  );
}

const TONES: Record<SignalTone, string> = {
  ok: 'text-ok',
  bad: 'text-bad',
  busy: 'text-busy',
  idle: 'text-muted',
};

const ICONS = { ok: CircleCheck, bad: CircleAlert, busy: RefreshCw, idle: Clock };

type SignalPartProps = Signal & { label: string; to: string };

/** The whole part is the link. */
function SignalPart({ label, verdict, tone, fact, at, to }: SignalPartProps) {
  const Icon = ICONS[tone];
  return (
    <div className="group relative grid min-w-0 grid-cols-[1.25rem_minmax(0,1fr)] content-start gap-x-2.5 px-4 py-3.5">
      <p className="col-span-2 mb-1.5 text-xs text-faint">{label}</p>
      <Icon size={20} aria-hidden="true" className={clsx('mt-0.5', TONES[tone])} />
      <p className={clsx('text-base font-semibold', tone === 'bad' && 'text-bad')}>
        <Link
          to={to}
          className="underline-offset-4 group-hover:underline after:absolute after:inset-0 after:rounded-box focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-ink"
        >
          {verdict}
        </Link>
      </p>
      <p className="col-start-2 text-[0.8125rem] wrap-anywhere text-muted">
        {fact}
        {at !== undefined && (
          <>
            {' · '}
            <TimeAgo at={at} />
          </>
        )}
      </p>
    </div>
  );
}
