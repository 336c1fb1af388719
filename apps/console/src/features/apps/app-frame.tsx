import { ROUTES } from '@longshore/contract';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useRegisterCommands } from '../../lib/commands.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { RefreshCw } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TabBar } from '../../ui/tab-bar.tsx';
import { askToLeave } from '../../ui/use-leave-guard.ts';
import { AppActions, useAppCommands } from './app-actions.tsx';
import { DeleteAppDialog } from './delete-app-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { APP_TABS, type AppTab, appTabLinks, appTabPath } from './model/app-tabs.ts';
import type { ServingView } from './model/serving-view.ts';
import type { AppPageState } from './use-app-page.ts';

type AppFrameProps = {
  page: AppPageState;
  tab: AppTab;
  projectName: string;
  onEdit(): void;
  children: ReactNode;
};

/** What all tabs of an app have around them: name, badge and actions, the tab bar, and the banner while it updates. */
export function AppFrame({ page, tab, projectName, onEdit, children }: AppFrameProps) {
  const { app, history, view, serving, setInstances, remove, isDeleting, setDeleting } = page;
  const { name, projectId } = app.values;
  useDocumentTitle(tab === 'overview' ? name : MESSAGES.tabTitle(MESSAGES.tabs[tab], name));
  useAppCommands(name, view, view.publicAccess?.url ?? serving?.urls[0], {
    onSleep: () => setInstances(view.sleep.instances),
    onEdit,
    onDelete: () => setDeleting(true),
  });
  // There the deployment has a card with the color of the banner.
  const isShownAsCard = tab === 'deployments' && view.phase !== undefined;
  return (
    <>
      <PageHeader
        back={{ to: ROUTES.project(projectId), label: projectName }}
        title={
          <>
            {name}
            <StatusBadge badge={view.badge} />
            {serving !== undefined && <ServingText {...serving} />}
          </>
        }
        actions={
          <AppActions
            view={view}
            onSleep={setInstances}
            onEdit={onEdit}
            onDelete={() => setDeleting(true)}
          />
        }
      />
      <TabBar label={MESSAGES.tabsLabel} tabs={appTabLinks(app, history)} />
      {view.banner !== undefined && !isShownAsCard && (
        <div className="mb-4">
          <Notice tone="busy" icon={<RefreshCw size={16} aria-hidden="true" />}>
            {view.banner}
          </Notice>
        </div>
      )}
      {children}
      {isDeleting && (
        <DeleteAppDialog values={app.values} onClose={() => setDeleting(false)} onDelete={remove} />
      )}
    </>
  );
}

/** The other tabs, as commands of the palette. */
export function useTabCommands(app: AppPageState['app'], current: AppTab): void {
  const navigate = useNavigate();
  useRegisterCommands(
    APP_TABS.filter((tab) => tab !== current).map((tab) => ({
      label: MESSAGES.tabTitle(MESSAGES.tabs[tab], app.values.name),
      run: () => askToLeave(() => void navigate(appTabPath(app, tab))),
    })),
  );
}

/** Whether the app serves and whether its last deployment succeeded are two signals. */
function ServingText({ text, newer }: ServingView) {
  return (
    <span className="text-sm font-normal tracking-normal text-muted">
      {text}
      {newer !== undefined && (
        <>
          {' · '}
          <span className={clsx(newer.isBad && 'text-bad')}>{newer.text}</span>
        </>
      )}
    </span>
  );
}
