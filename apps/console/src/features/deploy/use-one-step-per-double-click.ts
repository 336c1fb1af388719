import { type RefObject, useEffect, useRef } from 'react';
import type { Step } from './model/wizard.ts';

/** The second click of a double click was meant for the step where the first one was: it presses nothing here. */
export function useOneStepPerDoubleClick(frame: RefObject<HTMLElement | null>, step: Step): void {
  const clickedIn = useRef<Step>(step);
  useEffect(() => {
    const listening = new AbortController();
    function look(event: MouseEvent) {
      if (event.detail < 2) clickedIn.current = step;
      else if (clickedIn.current !== step) event.stopPropagation();
    }
    frame.current?.addEventListener('click', look, { capture: true, signal: listening.signal });
    return () => listening.abort();
  }, [frame, step]);
}
