/** A value that changes by itself; `subscribe` answers how to stop listening. */
export type Observable<T> = {
  state(): T;
  subscribe(listener: () => void): () => void;
};

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
