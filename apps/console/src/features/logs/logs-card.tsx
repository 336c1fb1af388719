import type { AppRef } from '@longshore/client';
import { Card } from '../../ui/card.tsx';
import { LogExplorer } from './log-explorer.tsx';
import { MESSAGES } from './messages.ts';

type LogsCardProps = AppRef & { state: 'streaming' | 'syncing' | 'hibernated' };

/** Spec §4: logs stream only when the app is not syncing and not hibernated. */
export function LogsCard({ projectId, appId, state }: LogsCardProps) {
  if (state === 'streaming') return <LogExplorer projectId={projectId} appId={appId} />;
  return (
    <Card title={MESSAGES.title}>
      <p className="grid h-28 place-items-center px-4 text-center text-muted">{MESSAGES[state]}</p>
    </Card>
  );
}
