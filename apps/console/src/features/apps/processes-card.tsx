import { clsx } from 'clsx';
import { useConfig } from '../../client/console-environment.tsx';
import { tierText } from '../../lib/tier-text.ts';
import { Card } from '../../ui/card.tsx';
import { MESSAGES } from './messages.ts';
import type { ProcessView } from './model/process-view.ts';
import type { SignalTone } from './model/signals.ts';

const TONES: Record<SignalTone, string> = {
  ok: 'text-ok',
  bad: 'text-bad',
  busy: 'text-busy',
  idle: 'text-muted',
};

type ProcessesCardProps = {
  processes: ProcessView[];
  /** The app would sleep, but its other processes keep it awake. */
  isKeptAwake: boolean;
};

export function ProcessesCard({ processes, isKeptAwake }: ProcessesCardProps) {
  const { tiers } = useConfig();
  return (
    <Card title={MESSAGES.processes.title}>
      <ul className="divide-y divide-line">
        {processes.map(({ name, command, tier, state, tone }) => (
          <li key={name} className="grid gap-0.5 px-4 py-2.5">
            <div className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 truncate font-medium font-mono text-[0.8125rem]">
                {name}
              </span>
              <span className={clsx('shrink-0 text-[0.8125rem]', TONES[tone])}>{state}</span>
            </div>
            {command !== undefined && (
              <code className="text-[0.8125rem] wrap-anywhere text-muted">{command}</code>
            )}
            {tiers !== undefined && (
              <span className="text-xs text-faint">{tierText(tier, tiers)}</span>
            )}
          </li>
        ))}
      </ul>
      {isKeptAwake && (
        <p className="border-line border-t px-4 py-2.5 text-xs text-muted">
          {MESSAGES.processes.keptAwake}
        </p>
      )}
    </Card>
  );
}
