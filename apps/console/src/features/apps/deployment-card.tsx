import { DEPLOYMENT_PHASES, type DeploymentPhase } from '@longshore/contract';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { PHASE_NAMES } from '../../lib/phase-names.ts';
import { durationText, elapsed } from '../../lib/relative-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { Card } from '../../ui/card.tsx';
import { MESSAGES } from './messages.ts';
import { deploymentTime, phaseDurations } from './model/deployment.ts';
import type { AppPageState } from './use-app-page.ts';

const TICK_MS = 1_000;

type DeploymentCardProps = {
  page: AppPageState;
  /** Cancels it. */
  cancel: ReactNode;
  /** Its live build output. */
  output: ReactNode;
};

/** Phases, elapsed and usual time, and the live build output of the deployment in progress. Nothing if there is none. */
export function DeploymentCard({ page, cancel, output }: DeploymentCardProps) {
  const { app, history, view, serving } = page;
  const now = useNow(TICK_MS);
  const { since = app.updatedAt, phases, usualMs } = deploymentTime(history);
  if (view.phase === undefined) return null;
  const release = history[0]?.outcome === undefined ? history[0]?.number : undefined;
  return (
    <Card
      className="border-busy-line! [&>header]:rounded-t-box [&>header]:border-busy-line [&>header]:bg-busy-wash"
      title={
        <span className="flex items-center gap-2">
          {release === undefined ? MESSAGES.deployment : MESSAGES.releaseNumber(release)}
          <span aria-hidden="true" className="size-2 animate-pulse rounded-full bg-busy" />
        </span>
      }
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
        <PhaseBar
          phase={view.phase}
          durations={phaseDurations(phases, now)}
          hasCommand={app.values.run?.releaseCommand !== undefined}
        />
        <p role="status" className="text-muted">
          {view.message.headline || MESSAGES.waiting}
        </p>
        {serving !== undefined && release !== undefined && (
          <p className="text-xs text-faint">{MESSAGES.servesUntil(serving.release, release)}</p>
        )}
      </div>
      {output}
    </Card>
  );
}

type PhaseBarProps = {
  phase: DeploymentPhase;
  durations: Partial<Record<DeploymentPhase, number>>;
  /** Whether the app has a release command. */
  hasCommand: boolean;
};

function PhaseBar({ phase, durations, hasCommand }: PhaseBarProps) {
  const phases = DEPLOYMENT_PHASES.filter(
    (name) => name !== 'releasing' || name === phase || hasCommand,
  );
  const reached = phases.indexOf(phase);
  return (
    <ol
      aria-label={MESSAGES.phasesLabel}
      className="grid auto-cols-[minmax(0,1fr)] grid-flow-col gap-1.5"
    >
      {phases.map((name, position) => (
        <li
          key={name}
          aria-current={position === reached ? 'step' : undefined}
          className="grid min-w-0 content-start gap-1.5"
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
            {PHASE_NAMES[name]}
            {durations[name] !== undefined && (
              <span className="block font-normal">{durationText(durations[name])}</span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
