import type { AppResource, Resource } from '@longshore/contract';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useResources } from '../client/session-context.tsx';
import { AppMissing, AppSkeleton } from '../features/apps/app-placeholders.tsx';
import { AppScreen } from '../features/apps/app-screen.tsx';
import { EditDialog } from '../features/deploy/edit-dialog.tsx';
import { BuildOutput, ReleaseBuildLog } from '../features/logs/build-log.tsx';
import { LogsCard } from '../features/logs/logs-card.tsx';
import { ServingLog } from '../features/logs/serving-log.tsx';
import { CancelBuildButton } from '../features/releases/cancel-build-button.tsx';
import { ReleaseNotices } from '../features/releases/release-notices.tsx';
import { ReleasesCard } from '../features/releases/releases-card.tsx';
import { useReleases } from '../features/releases/use-releases.ts';
import { useWebhook } from '../features/webhooks/use-webhook.ts';
import { WebhookCard } from '../features/webhooks/webhook-card.tsx';
import { findApp, findProject, integrationsOf } from '../lib/resource-lists.ts';
import { LoadFailed } from '../ui/load-failed.tsx';
import { MESSAGES } from './messages.ts';

/** Combines the app, its logs and its edit dialog here, because features must not import each other. */
export function AppPage() {
  const { projectId = '', appId = '' } = useParams();
  const state = useResources();
  switch (state.kind) {
    case 'loading':
      return <AppSkeleton />;
    case 'failed':
      return <LoadFailed isPage message={state.message} />;
    case 'ready': {
      const app = findApp(state.resources, projectId, appId);
      if (app === undefined) {
        return <AppMissing projectId={findProject(state.resources, projectId)?.id} />;
      }
      return <ReadyApp key={appId} app={app} resources={state.resources} />;
    }
  }
}

function ReadyApp({ app, resources }: { app: AppResource; resources: Resource[] }) {
  const [isEditing, setEditing] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const target = { projectId: app.values.projectId, appId: app.id };
  const project = findProject(resources, target.projectId);
  const releases = useReleases(app.id);
  const history = releases.kind === 'ready' ? releases.releases : [];
  const [newest] = history;
  const webhook = useWebhook(app);
  return (
    <>
      <AppScreen
        app={app}
        isSaving={isSaving}
        projectName={project?.values.name ?? MESSAGES.unknownProject}
        buildOutput={<BuildOutput {...target} />}
        cancelBuild={newest && <CancelBuildButton appId={app.id} release={newest} />}
        notices={(onSent) => (
          <ReleaseNotices app={app} history={history} isPushOn={webhook.isOn} onSent={onSent} />
        )}
        history={history}
        releases={(onSent) => (
          <ReleasesCard
            app={app}
            state={releases}
            buildLog={(release, onClose) => (
              <ReleaseBuildLog {...target} release={release} onClose={onClose} />
            )}
            onSent={onSent}
          />
        )}
        pushToDeploy={
          app.values.source.enabled && (
            <WebhookCard app={app} pin={newest?.appPin} webhook={webhook} />
          )
        }
        logs={(logsState) => <LogsCard {...target} state={logsState} />}
        servingLog={(instance) => <ServingLog {...target} instance={instance} />}
        onEdit={() => setEditing(true)}
      />
      {isEditing && (
        <EditDialog
          app={app}
          integrations={integrationsOf(resources)}
          history={history}
          onSaving={setSaving}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  );
}
