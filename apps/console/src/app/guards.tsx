import { ROUTES } from '@longshore/contract';
import { Navigate, Outlet } from 'react-router';
import { useAuth } from '../lib/backend-context.tsx';
import { FullPageSpinner } from '../ui/full-page-spinner.tsx';

/** Spec §2, Top-level routes: nothing is rendered while authentication loads. */
export function VisitorsOnly() {
  const { current } = useAuth();
  switch (current.kind) {
    case 'loading':
      return null;
    case 'signed-in':
      return <Navigate to={ROUTES.dashboard} replace />;
    case 'signed-out':
      return <Outlet />;
  }
}

export function SignedInOnly() {
  const { current } = useAuth();
  switch (current.kind) {
    case 'loading':
      return <FullPageSpinner />;
    case 'signed-out':
      return <Navigate to={ROUTES.login} replace />;
    case 'signed-in':
      return <Outlet />;
  }
}
