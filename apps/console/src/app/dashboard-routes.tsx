import { Route, Routes } from 'react-router';
import { ProjectsScreen } from '../features/projects/projects-screen.tsx';
import { lazyScreen } from '../lib/lazy-screen.ts';
import { NotFound } from './not-found.tsx';

const Project = lazyScreen(() => import('./project-page.tsx'), 'ProjectPage');
const App = lazyScreen(() => import('./app-page.tsx'), 'AppPage');
const Integrations = lazyScreen(
  () => import('../features/integrations/integrations-screen.tsx'),
  'IntegrationsScreen',
);
const Profile = lazyScreen(() => import('../features/profile/profile-screen.tsx'), 'ProfileScreen');

/** Spec §2, nested dashboard routes. */
export function DashboardRoutes() {
  return (
    <Routes>
      <Route index element={<ProjectsScreen />} />
      <Route path="projects" element={<ProjectsScreen />} />
      <Route path="projects/:projectId" element={<Project />} />
      <Route path="projects/:projectId/apps/:appId" element={<App />} />
      <Route path="integrations" element={<Integrations />} />
      <Route path="user/profile" element={<Profile />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
