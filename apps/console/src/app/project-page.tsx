import { DETAIL_SKELETONS, type Resource } from '@longshore/contract';
import { useState } from 'react';
import { useParams } from 'react-router';
import { DeployDialog } from '../features/deploy/deploy-dialog.tsx';
import { CardSkeletons } from '../features/projects/project-grid.tsx';
import { ProjectMissing } from '../features/projects/project-missing.tsx';
import { ProjectScreen } from '../features/projects/project-screen.tsx';
import { useResources } from '../lib/live-context.tsx';
import { appsOf, findProject, integrationsOf } from '../lib/resource-lists.ts';
import { LoadFailed } from '../ui/load-failed.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Projects and the deploy dialog meet here: features never import each other. */
export function ProjectPage() {
  const { projectId = '' } = useParams();
  const state = useResources();
  switch (state.kind) {
    case 'loading':
      return (
        <>
          <Skeleton className="mb-3 h-5 w-20" />
          <Skeleton className="mb-8 h-8 w-48" />
          <CardSkeletons count={DETAIL_SKELETONS} />
        </>
      );
    case 'failed':
      return <LoadFailed message={state.message} />;
    case 'ready':
      return <ReadyProject projectId={projectId} resources={state.resources} />;
  }
}

function ReadyProject({ projectId, resources }: { projectId: string; resources: Resource[] }) {
  const [isDeploying, setDeploying] = useState(false);
  const project = findProject(resources, projectId);
  if (project === undefined) return <ProjectMissing hasId={projectId !== ''} />;
  return (
    <>
      <ProjectScreen
        project={project}
        apps={appsOf(resources, projectId)}
        onDeploy={() => setDeploying(true)}
      />
      {isDeploying && (
        <DeployDialog
          projectId={projectId}
          integrations={integrationsOf(resources)}
          onClose={() => setDeploying(false)}
        />
      )}
    </>
  );
}
