import { type RefObject, useEffect, useRef } from 'react';
import type { Step } from './model/wizard.ts';

const FIRST: Record<Step, 'button' | 'input'> = { 0: 'button', 1: 'input', 2: 'input' };

/** When a step begins, the first of its fields or buttons gets the focus, whatever stands above it. */
export function useStepFocus(
  step: Step,
  { isInline }: { isInline: boolean },
): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  const begun = useRef(isInline ? step : undefined);
  useEffect(() => {
    if (begun.current === step) return;
    begun.current = step;
    frame.current?.querySelector<HTMLElement>(FIRST[step])?.focus();
  }, [step]);
  return frame;
}
