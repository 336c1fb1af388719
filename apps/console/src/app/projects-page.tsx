import { ROUTES } from '@longshore/contract';
import { useNavigate } from 'react-router';
import type { StartWay } from '../features/deploy/model/wizard.ts';
import { StartWays } from '../features/deploy/start-ways.tsx';
import { useSampleApp } from '../features/deploy/use-sample-app.ts';
import { ProjectsScreen } from '../features/projects/projects-screen.tsx';

/** Combines the list of projects and the ways to a first app here, because features must not import each other. */
export function ProjectsPage() {
  const sample = useSampleApp();
  const navigate = useNavigate();
  const open = (projectId: string, way: StartWay) =>
    void navigate(ROUTES.project(projectId), { state: { way } });
  return (
    <ProjectsScreen
      firstApp={(createProject) => (
        <StartWays
          isBusy={sample.isBusy}
          onSample={() => sample.deploy()}
          onChoose={(way) => createProject((projectId) => open(projectId, way))}
        />
      )}
    />
  );
}
