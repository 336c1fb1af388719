type Listener = (message: unknown) => void;

export type FakeTabs = {
  /** Opens the broadcast channel of another tab. */
  openChannel(): {
    post(message: unknown): void;
    listen(listener: Listener): () => void;
    close(): void;
  };
  /** A lock that all tabs share: one job at a time. */
  lock<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T>;
};

/** Several browser tabs: messages arrive at the other tabs asynchronously, as structured clones. */
export function createFakeTabs(): FakeTabs {
  const tabs = new Set<Set<Listener>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    openChannel() {
      const own = new Set<Listener>();
      tabs.add(own);
      return {
        post(message) {
          const copy = structuredClone(message);
          const others = [...tabs].filter((tab) => tab !== own);
          setImmediate(() => {
            for (const listener of others.flatMap((tab) => [...tab])) listener(copy);
          });
        },
        listen(listener) {
          own.add(listener);
          return () => void own.delete(listener);
        },
        close: () => void tabs.delete(own),
      };
    },
    lock(job, signal) {
      const result = last.then(() => {
        signal.throwIfAborted();
        return job();
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}
