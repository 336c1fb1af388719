import { useSyncExternalStore } from 'react';
import type { Observable } from './observable.ts';

export function useObservable<T>({ subscribe, state }: Observable<T>): T {
  return useSyncExternalStore(subscribe, state);
}
