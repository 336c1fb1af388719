import { isRecord, type Resource } from '@longshore/contract';
import { type ReactNode, useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { useResources } from '../client/session-context.tsx';
import { DeployLimitNotice } from '../features/deploy/deploy-limit-notice.tsx';
import {
  DeployDialog,
  DeployInline,
  useDeployChecks,
  useHasDraft,
} from '../features/deploy/deploy-wizard.tsx';
import { MESSAGES as DEPLOY } from '../features/deploy/messages.ts';
import type { StartWay } from '../features/deploy/model/wizard.ts';
import { StartWays } from '../features/deploy/start-ways.tsx';
import { useSampleApp } from '../features/deploy/use-sample-app.ts';
import { ProjectMissing, ProjectSkeleton } from '../features/projects/project-placeholders.tsx';
import { ProjectScreen } from '../features/projects/project-screen.tsx';
import { appsOf, findProject, integrationsOf } from '../lib/resource-lists.ts';
import { LoadFailed } from '../ui/load-failed.tsx';

const START = DEPLOY.start;

/** Combines the project and the deploy dialog here, because features must not import each other. */
export function ProjectPage() {
  const { projectId = '' } = useParams();
  const state = useResources();
  switch (state.kind) {
    case 'loading':
      return <ProjectSkeleton />;
    case 'failed':
      return <LoadFailed isPage message={state.message} />;
    case 'ready':
      return <ReadyProject key={projectId} projectId={projectId} resources={state.resources} />;
  }
}

function ReadyProject({ projectId, resources }: { projectId: string; resources: Resource[] }) {
  const [isDeploying, setDeploying] = useState(false);
  const [way, setWay] = useState<StartWay | undefined>(wayOf(useLocation().state));
  const hasDraft = useHasDraft(projectId);
  const sample = useSampleApp();
  const checks = useDeployChecks();
  const project = findProject(resources, projectId);
  if (project === undefined) return <ProjectMissing hasId={projectId.trim() !== ''} />;
  const isWizard = hasDraft || way !== undefined || checks.missing !== undefined;
  const deployProps = { projectId, integrations: integrationsOf(resources), checks };
  return (
    <>
      <ProjectScreen
        project={project}
        apps={appsOf(resources, projectId)}
        firstApp={
          !isDeploying && (
            <FirstApp
              wizard={isWizard && <DeployInline way={way} {...deployProps} />}
              ways={
                <>
                  <DeployLimitNotice limit={checks.limit} />
                  <StartWays
                    isBusy={sample.isBusy}
                    onSample={() => sample.deploy(projectId)}
                    onChoose={setWay}
                  />
                </>
              }
            />
          )
        }
        onDeploy={() => setDeploying(true)}
      />
      {isDeploying && <DeployDialog {...deployProps} onClose={() => setDeploying(false)} />}
    </>
  );
}

type FirstAppProps = { wizard: ReactNode; ways: ReactNode };

/** The wizard once a way is chosen, or if nobody may deploy. */
function FirstApp({ wizard, ways }: FirstAppProps) {
  if (wizard !== false) return <div className="mx-auto w-full max-w-2xl">{wizard}</div>;
  return (
    <div className="grid gap-6 pt-4">
      <div className="grid gap-1 text-center">
        <h2 className="text-base font-semibold">{START.title}</h2>
        <p className="text-muted">{START.text}</p>
      </div>
      {ways}
    </div>
  );
}

/** Chosen on the page of projects. */
function wayOf(state: unknown): StartWay | undefined {
  const way = isRecord(state) ? state.way : undefined;
  return way === 'git' || way === 'image' || way === 'upload' ? way : undefined;
}
