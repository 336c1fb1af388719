import { type NavigateOptions, useLocation, useNavigate } from 'react-router';
import { usePlace } from './place-context.tsx';

/** Goes on to another page when an answer has come, unless the person has left this one while it was awaited. */
export function useGoOn(): (to: string, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const place = usePlace();
  return (to, options) => {
    if (place.state() === pathname) void navigate(to, options);
  };
}
