import { DeploymentCard } from '../../features/apps/deployment-card.tsx';
import { CommandsCard } from '../../features/commands/commands-card.tsx';
import { BuildOutput, ReleaseBuildLog } from '../../features/logs/build-log.tsx';
import { CommandOutput } from '../../features/logs/command-output.tsx';
import { CancelBuildButton } from '../../features/releases/cancel-build-button.tsx';
import { ReleaseNotices } from '../../features/releases/release-notices.tsx';
import { ReleasesCard } from '../../features/releases/releases-card.tsx';
import type { AppTabProps } from './app-tab-props.ts';

/** The deployment in progress, all releases, and commands. */
export function DeploymentsTab({ page, releases, restart, redeploy, webhook }: AppTabProps) {
  const { app, history, markUpdating } = page;
  const target = { projectId: app.values.projectId, appId: app.id };
  const [newest] = history;
  return (
    <div className="grid grid-cols-1 gap-4">
      <ReleaseNotices app={app} history={history} isPushOn={webhook.isOn} onSent={markUpdating} />
      <DeploymentCard
        page={page}
        cancel={newest && <CancelBuildButton appId={app.id} release={newest} isCommand />}
        output={<BuildOutput {...target} />}
      />
      <ReleasesCard
        app={app}
        state={releases}
        restart={restart}
        redeploy={redeploy}
        buildLog={(release) => <ReleaseBuildLog {...target} release={release} />}
        onSent={markUpdating}
      />
      <CommandsCard
        appId={app.id}
        output={(command, isActive) => (
          <CommandOutput {...target} command={command} isActive={isActive} />
        )}
      />
    </div>
  );
}
