import type { ReactNode } from 'react';
import { elapsed } from '../../lib/relative-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { Card } from '../../ui/card.tsx';
import { MESSAGES } from './messages.ts';
import type { Phase } from './model/phase.ts';
import { PhaseBar } from './phase-bar.tsx';

const TICK_MS = 1_000;

type DeploymentCardProps = {
  phase: Phase;
  headline: string;
  since: string;
  usualMs: number | undefined;
  output: ReactNode;
};

/** Nothing waits without saying what for: phase, elapsed and usual time, live build output. */
export function DeploymentCard(props: DeploymentCardProps) {
  const { phase, headline, since, usualMs, output } = props;
  const now = useNow(TICK_MS);
  return (
    <Card
      title={MESSAGES.deployment}
      actions={
        <p className="flex gap-3 text-muted">
          <span>{elapsed(Date.parse(since), now)}</span>
          {usualMs !== undefined && (
            <span className="text-faint">{MESSAGES.usually(elapsed(0, usualMs))}</span>
          )}
        </p>
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
