import { type RefObject, useEffect, useRef } from 'react';

/** When a step begins, the first of its fields or buttons gets the focus, whatever stands above it. */
export function useFocusFirst<Frame extends HTMLElement>(
  wanted: 'input' | 'button',
): RefObject<Frame | null> {
  const frame = useRef<Frame>(null);
  useEffect(() => frame.current?.querySelector(wanted)?.focus(), [wanted]);
  return frame;
}
