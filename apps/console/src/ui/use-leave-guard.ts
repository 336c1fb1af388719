import { useEffect, useEffectEvent } from 'react';

/** The guard that is active. A dialog is modal, so there is at most one. */
let activeHold: ((event: PopStateEvent) => void) | undefined;

// Added when the code is loaded, before the router adds its listener: Chromium calls the listeners of the window in the
// order in which they were added, and the router would unmount the dialog first.
window.addEventListener('popstate', (event) => activeHold?.(event), { capture: true });

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
        release();
        window.history.go(steps);
      });
    }
    function release() {
      controller.abort();
      if (activeHold === hold) activeHold = undefined;
    }
    activeHold = hold;
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    return release;
  }, [isActive]);
}

function indexOf(state: { idx?: unknown } | null): number | undefined {
  return typeof state?.idx === 'number' ? state.idx : undefined;
}
