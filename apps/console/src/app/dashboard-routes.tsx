import { type ReactNode, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { AppSkeleton } from '../features/apps/app-placeholders.tsx';
import { IntegrationsSkeleton } from '../features/integrations/integrations-skeleton.tsx';
import { OperatorSkeleton } from '../features/operator/operator-skeleton.tsx';
import { ProfileSkeleton } from '../features/profile/profile-skeleton.tsx';
import { ProjectSkeleton } from '../features/projects/project-placeholders.tsx';
import { SecuritySkeleton } from '../features/security/security-skeleton.tsx';
import { lazyScreen } from '../lib/lazy-screen.ts';
import { NotFound } from './not-found.tsx';
import { ProjectsPage } from './projects-page.tsx';

const Project = lazyScreen(() => import('./project-page.tsx'), 'ProjectPage');
const App = lazyScreen(() => import('./app-page.tsx'), 'AppPage');
const Integrations = lazyScreen(
  () => import('../features/integrations/integrations-screen.tsx'),
  'IntegrationsScreen',
);
const Profile = lazyScreen(() => import('../features/profile/profile-screen.tsx'), 'ProfileScreen');

const Security = lazyScreen(
  () => import('../features/security/security-screen.tsx'),
  'SecurityScreen',
);

const Operator = lazyScreen(
  () => import('../features/operator/operator-screen.tsx'),
  'OperatorScreen',
);

/** The routes below /dashboard (spec-map 2.1). */
export function DashboardRoutes() {
  return (
    <Routes>
      <Route path="/dashboard" element={<ProjectsPage />} />
      <Route path="/dashboard/projects" element={<ProjectsPage />} />
      <Route
        path="/dashboard/projects/:projectId"
        element={withSkeleton(<Project />, <ProjectSkeleton />)}
      />
      <Route
        path="/dashboard/projects/:projectId/apps/:appId/*"
        element={withSkeleton(<App />, <AppSkeleton />)}
      />
      <Route
        path="/dashboard/integrations"
        element={withSkeleton(<Integrations />, <IntegrationsSkeleton />)}
      />
      <Route
        path="/dashboard/user/profile"
        element={withSkeleton(<Profile />, <ProfileSkeleton />)}
      />
      <Route
        path="/dashboard/user/security"
        element={withSkeleton(<Security />, <SecuritySkeleton />)}
      />
      <Route
        path="/dashboard/operator"
        element={withSkeleton(<Operator />, <OperatorSkeleton />)}
      />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

/** Shows the page's skeleton while its code loads. */
function withSkeleton(page: ReactNode, skeleton: ReactNode) {
  return <Suspense fallback={skeleton}>{page}</Suspense>;
}
