import { useEffect, useEffectEvent } from 'react';

/**
 * While active, Back and Forward stay on the page, and `onLeave` gets the function that continues. Closing or reloading
 * the tab asks as the browser does. The router numbers its history entries with `idx`.
 */
export function useLeaveGuard(isActive: boolean, onLeave: (leave: () => void) => void): void {
  const handleLeave = useEffectEvent(onLeave);
  useEffect(() => {
    if (!isActive) return;
    const here = indexOf(window.history.state) ?? 0;
    const controller = new AbortController();
    const { signal } = controller;
    let isReturning = false;
    function hold(event: PopStateEvent) {
      event.stopImmediatePropagation();
      const steps = (indexOf(event.state) ?? here - 1) - here;
      if (isReturning || steps === 0) {
        isReturning = false;
        return;
      }
      isReturning = true;
      window.history.go(-steps);
      handleLeave(() => {
        controller.abort();
        window.history.go(steps);
      });
    }
    // Before the router, which listens in the bubble phase.
    window.addEventListener('popstate', hold, { capture: true, signal });
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    return () => controller.abort();
  }, [isActive]);
}

function indexOf(state: { idx?: unknown } | null): number | undefined {
  return typeof state?.idx === 'number' ? state.idx : undefined;
}
