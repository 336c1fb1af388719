import { LogsCard } from '../../features/logs/logs-card.tsx';
import { ServingLog } from '../../features/logs/serving-log.tsx';
import type { AppTabProps } from './app-tab-props.ts';

/** The log explorer. */
export function LogsTab({ page: { app, view, serving } }: AppTabProps) {
  const target = { projectId: app.values.projectId, appId: app.id };
  return (
    <div className="grid grid-cols-1 gap-4">
      <LogsCard {...target} state={view.logs} />
      {serving !== undefined && <ServingLog {...target} instance={serving.logName} />}
    </div>
  );
}
