import { clsx } from 'clsx';
import { type ReactNode, useRef } from 'react';
import { useKeptFocus } from '../../lib/use-kept-focus.ts';
import { APP_GRID } from './app-placeholders.tsx';
import { ConfigurationCard } from './configuration-card.tsx';
import { DeploymentCard } from './deployment-card.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { appTabPath } from './model/app-tabs.ts';
import { isKeptAwake, processViews } from './model/process-view.ts';
import { attemptedRelease, shownDetection } from './model/serving-view.ts';
import { deploymentSignal, healthSignal } from './model/signals.ts';
import type { VisitorErrors } from './model/visitor-errors.ts';
import { PortNotice } from './port-notice.tsx';
import { ProcessesCard } from './processes-card.tsx';
import { PublicAccessCard } from './public-access-card.tsx';
import { ServingCard } from './serving-card.tsx';
import { SignalsCard } from './signals-card.tsx';
import type { AppPageState } from './use-app-page.ts';
import { VisitorErrorsNotice } from './visitor-errors-notice.tsx';

type AppOverviewProps = {
  page: AppPageState;
  /** About cancelled and pinned releases. */
  notices: ReactNode;
  /** Cancels the release that is in progress. */
  cancelBuild: ReactNode;
  buildOutput: ReactNode;
  visitorErrors: VisitorErrors | undefined;
  /** What it uses and serves. */
  usage: ReactNode;
  logs: ReactNode;
  /** The log of the serving release, while another one is deployed or has failed. */
  servingLog: ReactNode;
  /** The release that serves. */
  release: ReactNode;
  onEdit(): void;
};

const COLUMN = 'grid min-w-0 grid-cols-1 gap-4 max-lg:contents';

/** The specified page of an app (spec-map 2.9). On small screens the URL and the release come before the logs. */
export function AppOverview(props: AppOverviewProps) {
  const { page, notices, cancelBuild, buildOutput, usage, logs, servingLog, release } = props;
  const { visitorErrors, onEdit } = props;
  const { app, history, view, observed, serving } = page;
  const logsRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(contentRef);
  const health = healthSignal(app, observed, history);
  const detected = shownDetection(history, observed.serving?.release);
  const processes = processViews(app.values, detected, observed.serving);
  const lastDeployment = deploymentSignal(app, history[0]);
  // During maintenance, the edge answers with errors.
  const isOpen = view.badge === 'Ready' && app.values.edge?.maintenance !== true;
  function openLogs() {
    logsRef.current?.scrollIntoView({ block: 'start' });
    logsRef.current?.focus({ preventScroll: true });
  }

  return (
    <div ref={contentRef} tabIndex={-1} className={clsx(APP_GRID, 'outline-none')} {...keptFocus}>
      <div className={COLUMN}>
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <SignalsCard
            health={{ ...health, to: appTabPath(app, 'logs') }}
            lastDeployment={{ ...lastDeployment, to: appTabPath(app, 'deployments') }}
          />
          {notices}
          <PortNotice values={app.values} edit={view.edit} onEdit={onEdit} />
          {view.badge === 'Error' && (
            <FailureNotice
              app={app}
              message={view.message}
              release={attemptedRelease(history)}
              serving={serving?.release}
              retry={observed.retry}
              edit={view.edit}
              onOpenLogs={openLogs}
              onEdit={onEdit}
              onSent={page.markUpdating}
            />
          )}
          {isOpen && visitorErrors !== undefined && (
            <VisitorErrorsNotice
              app={app}
              errors={visitorErrors}
              detected={detected}
              onOpenLogs={openLogs}
            />
          )}
          <DeploymentCard page={page} cancel={cancelBuild} output={buildOutput} />
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-4 max-lg:order-2">
          {usage}
          <div ref={logsRef} tabIndex={-1} className="scroll-mt-20 outline-none">
            {logs}
          </div>
          {servingLog}
        </div>
      </div>
      <div className={COLUMN}>
        <div className="grid min-w-0 grid-cols-1 gap-4 empty:hidden max-lg:order-1">
          {view.publicAccess !== undefined && <PublicAccessCard access={view.publicAccess} />}
          {view.publicAccess === undefined && serving !== undefined && serving.urls.length > 0 && (
            <ServingCard {...serving} />
          )}
          {release}
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-4 max-lg:order-3">
          {processes.length > 0 && (
            <ProcessesCard processes={processes} isKeptAwake={isKeptAwake(app.values, detected)} />
          )}
          <ConfigurationCard app={app} detected={detected} />
        </div>
      </div>
    </div>
  );
}
