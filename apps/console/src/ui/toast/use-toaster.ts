import { useEffect, useState } from 'react';
import type { Toast } from './toast-queue.ts';

const USES = ['keydown', 'pointerdown', 'input'];

/**
 * The toast area is fetched when somebody begins to use the page, or with the first toast: the sign-in page must
 * stay light, and a toast that says the connection is gone comes too late to fetch anything. What could not be
 * fetched is tried again.
 */
export function useToaster(toast: Toast | undefined) {
  const [area, setArea] = useState<typeof import('./toaster.tsx')>();
  useEffect(() => {
    if (area !== undefined) return;
    const load = () => void import('./toaster.tsx').then(setArea, () => undefined);
    if (toast !== undefined) load();
    const waiting = new AbortController();
    for (const use of USES) addEventListener(use, load, { signal: waiting.signal });
    return () => waiting.abort();
  }, [area, toast]);
  return area?.Toaster;
}
