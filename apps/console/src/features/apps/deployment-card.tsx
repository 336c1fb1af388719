import type { ReactNode } from 'react';
import { elapsed } from '../../lib/relative-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { Card } from '../../ui/card.tsx';
import type { Phase } from './model/phase.ts';
import { PhaseBar } from './phase-bar.tsx';

const TICK_MS = 1_000;

type DeploymentCardProps = { phase: Phase; headline: string; since: string; output: ReactNode };

/** Nothing waits without saying what for: phase, elapsed time, live build output. */
export function DeploymentCard({ phase, headline, since, output }: DeploymentCardProps) {
  const now = useNow(TICK_MS);
  return (
    <Card
      title="Deployment"
      actions={<span className="text-muted">{elapsed(new Date(since).getTime(), now)}</span>}
    >
      <div className="grid gap-3 p-4">
        <PhaseBar phase={phase} />
        <p role="status" className="text-muted">
          {headline || 'Waiting for the server'}
        </p>
      </div>
      {output}
    </Card>
  );
}
