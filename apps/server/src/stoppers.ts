/** What was started, so that it can be stopped in reverse order. */
export type Stoppers = {
  add(stop: () => Promise<void> | void): void;
  stopAll(): Promise<void>;
};

export function createStoppers(onError: (error: unknown) => void): Stoppers {
  const stoppers: (() => Promise<void> | void)[] = [];
  return {
    add: (stop) => void stoppers.push(stop),
    async stopAll() {
      for (const stop of stoppers.splice(0).reverse()) {
        try {
          await stop();
        } catch (error) {
          // The rest still has to be stopped.
          onError(error);
        }
      }
    },
  };
}
