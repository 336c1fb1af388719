/** A value that changes over time. `subscribe` returns the function that unsubscribes; fits `useSyncExternalStore`. */
export type Observable<T> = {
  state(): T;
  subscribe(listener: () => void): () => void;
};

export type Store<T> = Observable<T> & { set(next: T): void };

/** Notifies its listeners when a different value is set. */
export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    state: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of [...listeners]) listener();
    },
  };
}
