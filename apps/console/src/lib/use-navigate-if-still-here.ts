import { type NavigateOptions, useLocation, useNavigate } from 'react-router';
import { usePageLocation } from './page-location.tsx';

/** Navigates when a request has finished, unless the user has left this page while it ran. */
export function useNavigateIfStillHere(): (to: string, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const location = usePageLocation();
  return (to, options) => {
    if (location.state() === pathname) void navigate(to, options);
  };
}
