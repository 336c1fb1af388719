import type { Observable } from '@longshore/client';
import { useSyncExternalStore } from 'react';

export function useObservable<T>({ subscribe, state }: Observable<T>): T {
  return useSyncExternalStore(subscribe, state);
}
