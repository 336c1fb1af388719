import { useState } from 'react';
import { isDoubleClick } from './is-double-click.ts';

type PressOutside = CustomEvent<{ originalEvent: PointerEvent }>;

/** Whoever double-clicks what opens a dialog means to open it: the second press must not close it. */
export function useDoubleClickGuard(): (press: PressOutside) => void {
  const [openedAtMs] = useState(() => performance.now());
  return (press) => {
    if (isDoubleClick(openedAtMs, press.detail.originalEvent.timeStamp)) press.preventDefault();
  };
}
