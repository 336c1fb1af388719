import { type RefObject, useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/**
 * A page that was gone to begins at its top; back and forward are left to the browser. What had the focus may
 * be gone with the page before: then the content gets it.
 */
export function useArrival(content: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (navigation === 'PUSH') window.scrollTo(0, 0);
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [pathname, navigation, content]);
}
