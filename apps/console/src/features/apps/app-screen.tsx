import { type AppResource, type Release, ROUTES } from '@longshore/contract';
import { clsx } from 'clsx';
import { type ReactNode, useRef, useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useKeptFocus } from '../../lib/use-kept-focus.ts';
import { RefreshCw } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { AppActions, useAppCommands } from './app-actions.tsx';
import { APP_GRID } from './app-placeholders.tsx';
import { ConfigurationCard } from './configuration-card.tsx';
import { DeleteAppDialog } from './delete-app-dialog.tsx';
import { DeploymentCard } from './deployment-card.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { type AppView, appView } from './model/app-view.ts';
import { deploymentTime } from './model/deployment.ts';
import { attemptedRelease, type ServingView, servingView } from './model/serving-view.ts';
import { PortNotice } from './port-notice.tsx';
import { PublicAccessCard } from './public-access-card.tsx';
import { ServingCard } from './serving-card.tsx';
import { useAppActions } from './use-app-actions.ts';
import { useObservedState } from './use-observed-state.ts';

type AppScreenProps = {
  app: AppResource;
  /** An edit is being saved. */
  isSaving: boolean;
  projectName: string;
  buildOutput: ReactNode;
  /** Cancels the release that is in progress. */
  cancelBuild: ReactNode;
  notices(onSent: () => void): ReactNode;
  history: Release[];
  /** `onSent` is called after a redeploy, a rollback or a resume was sent. */
  releases(onSent: () => void): ReactNode;
  pushToDeploy: ReactNode;
  logs(state: AppView['logs']): ReactNode;
  /** The log of the instance with this log name. */
  servingLog(logName: string): ReactNode;
  onEdit(): void;
};

export function AppScreen(props: AppScreenProps) {
  const { app, isSaving, projectName, buildOutput, cancelBuild, notices, history } = props;
  const { releases, pushToDeploy, logs, servingLog, onEdit } = props;
  useDocumentTitle(app.values.name);
  const { ingress } = useConfig();
  const { pending, setInstances, remove, markUpdating } = useAppActions(app, isSaving);
  const [isDeleting, setDeleting] = useState(false);
  const logsRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(contentRef);
  const view = appView(app, pending, ingress);
  const observed = useObservedState(app.id);
  const serving = servingView(app, observed.serving, history, ingress);
  const time = deploymentTime(history);
  useAppCommands(app.values.name, view, view.publicAccess?.url ?? serving?.urls[0], {
    onSleep: () => void setInstances(view.sleep.instances),
    onEdit,
    onDelete: () => setDeleting(true),
  });
  function openLogs() {
    logsRef.current?.scrollIntoView({ block: 'start' });
    logsRef.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <PageHeader
        back={{ to: ROUTES.project(app.values.projectId), label: projectName }}
        title={
          <>
            {app.values.name}
            <StatusBadge badge={view.badge} />
            {serving !== undefined && <ServingText {...serving} />}
          </>
        }
        actions={
          <AppActions
            view={view}
            onSleep={(instances) => void setInstances(instances)}
            onEdit={onEdit}
            onDelete={() => setDeleting(true)}
          />
        }
      />
      <div className={APP_GRID}>
        <div
          ref={contentRef}
          tabIndex={-1}
          className="grid min-w-0 grid-cols-1 gap-4 outline-none"
          {...keptFocus}
        >
          {view.banner !== undefined && (
            <Notice tone="busy" icon={<RefreshCw size={16} aria-hidden="true" />}>
              {view.banner}
            </Notice>
          )}
          {notices(markUpdating)}
          <PortNotice values={app.values} edit={view.edit} onEdit={onEdit} />
          {view.badge === 'Error' && (
            <FailureNotice
              app={{ id: app.id, name: app.values.name }}
              message={view.message}
              release={attemptedRelease(history)}
              serving={serving?.release}
              retry={observed.retry}
              edit={view.edit}
              onOpenLogs={openLogs}
              onEdit={onEdit}
            />
          )}
          {view.phase !== undefined && (
            <DeploymentCard
              phase={view.phase}
              headline={view.message.headline}
              since={time.since ?? app.updatedAt}
              usualMs={time.usualMs}
              cancel={cancelBuild}
              output={buildOutput}
            />
          )}
          {view.publicAccess !== undefined && (
            <PublicAccessCard
              access={view.publicAccess}
              app={{ projectId: app.values.projectId, appId: app.id }}
            />
          )}
          {view.publicAccess === undefined && serving !== undefined && serving.urls.length > 0 && (
            <ServingCard {...serving} />
          )}
          <div ref={logsRef} tabIndex={-1} className="scroll-mt-20 outline-none">
            {logs(view.logs)}
          </div>
          {serving !== undefined && servingLog(serving.logName)}
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <ConfigurationCard app={app} />
          {pushToDeploy}
          {releases(markUpdating)}
        </div>
      </div>
      {isDeleting && (
        <DeleteAppDialog
          name={app.values.name}
          isPublic={app.values.publicAccess.enabled}
          onClose={() => setDeleting(false)}
          onDelete={remove}
        />
      )}
    </>
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
