import type { Observable } from './backend.ts';

export type Source<T> = Observable<T> & { set(next: T): void };

/** A value with listeners. */
export function createSource<T>(initial: T): Source<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    state: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of [...listeners]) listener();
    },
  };
}
