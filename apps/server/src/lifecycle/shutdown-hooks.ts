/** What has to be stopped when the server stops. */
export type ShutdownHooks = {
  add(stop: () => Promise<void> | void): void;
  /** Runs the hooks in reverse order of their registration. */
  runAll(): Promise<void>;
};

export function createShutdownHooks(onError: (error: unknown) => void): ShutdownHooks {
  const hooks: (() => Promise<void> | void)[] = [];
  return {
    add: (stop) => void hooks.push(stop),
    async runAll() {
      for (const stop of hooks.splice(0).reverse()) {
        try {
          await stop();
        } catch (error) {
          // The other parts still have to be stopped.
          onError(error);
        }
      }
    },
  };
}
