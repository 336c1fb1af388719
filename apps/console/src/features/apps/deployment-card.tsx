import { DEPLOYMENT_PHASES, type DeploymentPhase } from '@longshore/contract';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { durationText, elapsed } from '../../lib/relative-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { Card } from '../../ui/card.tsx';
import { MESSAGES } from './messages.ts';

const TICK_MS = 1_000;

type DeploymentCardProps = {
  phase: DeploymentPhase;
  headline: string;
  since: string;
  usualMs: number | undefined;
  cancel: ReactNode;
  output: ReactNode;
};

/** Phase, elapsed and usual time, and the live build output of a deployment. */
export function DeploymentCard(props: DeploymentCardProps) {
  const { phase, headline, since, usualMs, cancel, output } = props;
  const now = useNow(TICK_MS);
  return (
    <Card
      title={MESSAGES.deployment}
      actions={
        <div className="flex items-center gap-3">
          <p className="flex flex-wrap justify-end gap-x-3 text-muted">
            <span>{elapsed(Date.parse(since), now)}</span>
            {usualMs !== undefined && (
              <span className="text-faint">{MESSAGES.usually(durationText(usualMs))}</span>
            )}
          </p>
          {cancel}
        </div>
      }
    >
      <div className="grid gap-3 p-4">
        <PhaseBar phase={phase} />
        <p role="status" className="text-muted">
          {headline || MESSAGES.waiting}
        </p>
      </div>
      {output}
    </Card>
  );
}

function PhaseBar({ phase }: { phase: DeploymentPhase }) {
  const reached = DEPLOYMENT_PHASES.indexOf(phase);
  return (
    <ol aria-label={MESSAGES.phasesLabel} className="grid grid-cols-6 gap-1.5">
      {DEPLOYMENT_PHASES.map((name, position) => (
        <li
          key={name}
          aria-current={position === reached ? 'step' : undefined}
          className="grid min-w-0 gap-1.5"
        >
          <span
            aria-hidden="true"
            className={clsx(
              'h-1 rounded-full',
              position < reached && 'bg-accent',
              position === reached && 'animate-pulse bg-accent',
              position > reached && 'bg-line',
            )}
          />
          <span
            className={clsx(
              'text-xs whitespace-nowrap',
              position === reached ? 'font-medium text-text' : 'text-faint max-sm:sr-only',
            )}
          >
            {MESSAGES.phases[name]}
          </span>
        </li>
      ))}
    </ol>
  );
}
