import type { AppResource, Resource } from '@longshore/contract';
import { type ComponentType, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { useResources } from '../client/session-context.tsx';
import { AppFrame, useTabCommands } from '../features/apps/app-frame.tsx';
import { AppMissing, AppSkeleton, TabSkeleton } from '../features/apps/app-placeholders.tsx';
import { type AppTab, appTabOf } from '../features/apps/model/app-tabs.ts';
import { useAppPage } from '../features/apps/use-app-page.ts';
import { EditDialog } from '../features/deploy/edit-dialog.tsx';
import { useAppDomains } from '../features/domains/use-app-domains.ts';
import { useRedeploy, useRestart } from '../features/releases/use-redeploy.ts';
import { useReleases } from '../features/releases/use-releases.ts';
import { useWebhook } from '../features/webhooks/use-webhook.ts';
import { lazyScreen } from '../lib/lazy-screen.ts';
import { findApp, findProject, integrationsOf } from '../lib/resource-lists.ts';
import { LoadFailed } from '../ui/load-failed.tsx';
import { askToLeave } from '../ui/use-leave-guard.ts';
import type { AppTabProps } from './app-tabs/app-tab-props.ts';
import { OverviewTab } from './app-tabs/overview-tab.tsx';
import { MESSAGES } from './messages.ts';
import { NotFound } from './not-found.tsx';

/** The other tabs are loaded when they are opened. */
const TABS: Record<AppTab, ComponentType<AppTabProps>> = {
  overview: OverviewTab,
  deployments: lazyScreen(() => import('./app-tabs/deployments-tab.tsx'), 'DeploymentsTab'),
  logs: lazyScreen(() => import('./app-tabs/logs-tab.tsx'), 'LogsTab'),
  metrics: lazyScreen(() => import('./app-tabs/metrics-tab.tsx'), 'MetricsTab'),
  variables: lazyScreen(() => import('./app-tabs/variables-tab.tsx'), 'VariablesTab'),
  domains: lazyScreen(() => import('./app-tabs/domains-tab.tsx'), 'DomainsTab'),
  settings: lazyScreen(() => import('./app-tabs/settings-tab.tsx'), 'SettingsTab'),
};

/** The page of an app, one tab at a time. The tabs combine features here, because features must not import each other. */
export function AppPage() {
  const { projectId = '', appId = '', '*': rest = '' } = useParams();
  const state = useResources();
  const tab = appTabOf(rest);
  if (tab === undefined) return <NotFound />;
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
      return <ReadyApp key={appId} app={app} tab={tab} resources={state.resources} />;
    }
  }
}

type ReadyAppProps = { app: AppResource; tab: AppTab; resources: Resource[] };

function ReadyApp({ app, tab, resources }: ReadyAppProps) {
  const [isEditing, setEditing] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [discards, setDiscards] = useState(0);
  const releases = useReleases(app.id);
  const history = releases.kind === 'ready' ? releases.releases : [];
  const webhook = useWebhook(app);
  const domains = useAppDomains(app);
  const page = useAppPage(app, { history, secureHosts: domains.secureHosts, isSaving });
  const restart = useRestart(app, page.markUpdating);
  const redeploy = useRedeploy(app, page.markUpdating);
  useTabCommands(app, tab);
  const integrations = integrationsOf(resources);
  const project = findProject(resources, app.values.projectId);
  const Tab = TABS[tab];
  // Saving the dialog ends on the project page, so unsaved edits of the tab would be lost.
  const edit = () =>
    askToLeave((hasDiscarded) => {
      if (hasDiscarded) setDiscards((count) => count + 1);
      setEditing(true);
    });
  return (
    <>
      <AppFrame
        page={page}
        tab={tab}
        projectName={project?.values.name ?? MESSAGES.unknownProject}
        onEdit={edit}
      >
        <Suspense fallback={<TabSkeleton />}>
          <Tab
            key={discards}
            page={page}
            releases={releases}
            restart={restart}
            redeploy={redeploy}
            webhook={webhook}
            domains={domains}
            integrations={integrations}
            onEdit={edit}
          />
        </Suspense>
      </AppFrame>
      {isEditing && (
        <EditDialog
          app={app}
          integrations={integrations}
          history={history}
          secureHosts={domains.secureHosts}
          onSaving={setSaving}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  );
}
