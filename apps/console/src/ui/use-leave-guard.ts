import { useEffect, useEffectEvent } from 'react';

type Guard = { hold(event: PopStateEvent): void; ask(leave: () => void): void };

/** The guards that are active. The last one decides: that of a dialog before that of the page below it. */
const guards: Guard[] = [];

// Added when the code is loaded, before the router adds its listener: Chromium calls the listeners of the window in the
// order in which they were added, and the router would unmount the dialog first.
window.addEventListener('popstate', (event) => guards.at(-1)?.hold(event), { capture: true });

/**
 * Leaves the page at once, or after the active guard has asked. For what is neither a link nor Back. `hasDiscarded`: the
 * user agreed to lose edits.
 */
export function askToLeave(leave: (hasDiscarded: boolean) => void): void {
  const guard = guards.at(-1);
  if (guard === undefined) leave(false);
  else guard.ask(() => leave(true));
}

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
      if (guards.includes(guard)) guards.splice(guards.indexOf(guard), 1);
    }
    const guard: Guard = { hold, ask: (leave) => handleLeave(leave) };
    guards.push(guard);
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    return release;
  }, [isActive]);
}

function indexOf(state: { idx?: unknown } | null): number | undefined {
  return typeof state?.idx === 'number' ? state.idx : undefined;
}
