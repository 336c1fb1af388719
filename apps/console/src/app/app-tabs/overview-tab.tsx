import { NO_UPLOAD_YET } from '@longshore/contract';
import { AppOverview } from '../../features/apps/app-overview.tsx';
import { appTabPath } from '../../features/apps/model/app-tabs.ts';
import { visitorErrors } from '../../features/apps/model/visitor-errors.ts';
import { UploadCard } from '../../features/deploy/upload-card.tsx';
import { BuildOutput } from '../../features/logs/build-log.tsx';
import { LogsCard } from '../../features/logs/logs-card.tsx';
import { ServingLog } from '../../features/logs/serving-log.tsx';
import { UsageCard } from '../../features/metrics/usage-card.tsx';
import { useAppMetrics } from '../../features/metrics/use-app-metrics.ts';
import { CancelBuildButton } from '../../features/releases/cancel-build-button.tsx';
import { CurrentReleaseCard } from '../../features/releases/current-release-card.tsx';
import { unfinishedOutcome } from '../../features/releases/model/release-rows.ts';
import { ReleaseNotices } from '../../features/releases/release-notices.tsx';
import type { AppTabProps } from './app-tab-props.ts';

export function OverviewTab({ page, releases, webhook, onEdit }: AppTabProps) {
  const { app, history, view, serving, observed, markUpdating } = page;
  const target = { projectId: app.values.projectId, appId: app.id };
  const [newest] = history;
  const { loaded } = useAppMetrics(app.id, '1h');
  const errors =
    loaded &&
    observed.serving &&
    visitorErrors(loaded.metrics.traffic, {
      app,
      release: history.find(({ number }) => number === observed.serving?.release),
      now: loaded.grid.now,
    });
  const isWaiting = app.values.source.url === NO_UPLOAD_YET;
  return (
    <AppOverview
      page={page}
      notices={
        <>
          {isWaiting && <UploadCard app={app} onSent={markUpdating} />}
          <ReleaseNotices
            app={app}
            history={history}
            isPushOn={webhook.isOn}
            onSent={markUpdating}
          />
        </>
      }
      cancelBuild={newest && <CancelBuildButton appId={app.id} release={newest} isCommand />}
      buildOutput={<BuildOutput {...target} />}
      visitorErrors={errors}
      release={
        <CurrentReleaseCard
          state={releases}
          serving={observed.serving?.release}
          unfinished={unfinishedOutcome(app)}
          to={appTabPath(app, 'deployments')}
        />
      }
      usage={<UsageCard app={app} metrics={loaded} to={appTabPath(app, 'metrics')} />}
      logs={<LogsCard {...target} state={view.logs} explorer={appTabPath(app, 'logs')} />}
      servingLog={serving !== undefined && <ServingLog {...target} instance={serving.logName} />}
      onEdit={onEdit}
    />
  );
}
