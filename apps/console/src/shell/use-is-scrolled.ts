import { HEADER_SCROLL_THRESHOLD_PX } from '@longshore/contract';
import { useSyncExternalStore } from 'react';

/** Spec §4, Interface states: scrolled more than 10 px. */
export function useIsScrolled(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY > HEADER_SCROLL_THRESHOLD_PX);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}
