import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For an area whose controls come and go with live data: if the focused one disappears, the area gets the focus, so that
 * keyboard and screen reader users stay where they are. React sends no blur event for an element that it removes.
 */
export function useKeptFocus(area: RefObject<HTMLElement | null>) {
  const isInside = useRef(false);
  useLayoutEffect(() => {
    if (isInside.current && document.activeElement === document.body) {
      area.current?.focus({ preventScroll: true });
    }
  });
  return {
    onFocus() {
      isInside.current = true;
    },
    onBlur() {
      isInside.current = false;
    },
  };
}
