import type { Resource } from '@longshore/contract';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useResources } from '../client/session-context.tsx';
import { DeployDialog, DeployInline, useDeployChecks } from '../features/deploy/deploy-wizard.tsx';
import { ProjectMissing, ProjectSkeleton } from '../features/projects/project-placeholders.tsx';
import { ProjectScreen } from '../features/projects/project-screen.tsx';
import { appsOf, findProject, integrationsOf } from '../lib/resource-lists.ts';
import { LoadFailed } from '../ui/load-failed.tsx';

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
  const checks = useDeployChecks();
  const project = findProject(resources, projectId);
  if (project === undefined) return <ProjectMissing hasId={projectId.trim() !== ''} />;
  const deployProps = { projectId, integrations: integrationsOf(resources), checks };
  return (
    <>
      <ProjectScreen
        project={project}
        apps={appsOf(resources, projectId)}
        firstApp={!isDeploying && <DeployInline {...deployProps} />}
        onDeploy={() => setDeploying(true)}
      />
      {isDeploying && <DeployDialog {...deployProps} onClose={() => setDeploying(false)} />}
    </>
  );
}
