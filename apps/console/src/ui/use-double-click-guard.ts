import { type PointerEvent as Press, useRef } from 'react';

type PressOutside = CustomEvent<{ originalEvent: PointerEvent }>;

/**
 * Props for the content of a dialog. The second click of a double click may hit outside of the dialog that the first one
 * opened or made smaller; it must not close the dialog.
 */
export function useDoubleClickGuard() {
  const pressedAtMs = useRef<number>(undefined);
  pressedAtMs.current ??= performance.now();
  return {
    onPointerDownCapture(press: Press) {
      pressedAtMs.current = press.timeStamp;
    },
    onPointerDownOutside(press: PressOutside) {
      const { timeStamp } = press.detail.originalEvent;
      if (isDoubleClick(pressedAtMs.current ?? 0, timeStamp)) press.preventDefault();
    },
  };
}

/** The usual limit of operating systems. */
const DOUBLE_CLICK_MS = 500;

/** Whether two presses are close enough to be a double click. */
export function isDoubleClick(firstMs: number, secondMs: number): boolean {
  return secondMs - firstMs <= DOUBLE_CLICK_MS;
}
