/** Which apps this server changes: until a watch reports a change, what it knows of the app is old. */
export type OwnChanges = {
  /** While `run` may change objects of an app. */
  during<Result>(appId: string, run: () => Promise<Result>): Promise<Result>;
  /** Increases with each change. Undefined during one. */
  version(appId: string): number | undefined;
};

export function createOwnChanges(): OwnChanges {
  const apps = new Map<string, { running: number; version: number }>();
  return {
    async during(appId, run) {
      const app = apps.get(appId) ?? { running: 0, version: 0 };
      apps.set(appId, app);
      app.running += 1;
      try {
        return await run();
      } finally {
        app.running -= 1;
        app.version += 1;
      }
    },
    version(appId) {
      const { running, version } = apps.get(appId) ?? { running: 0, version: 0 };
      return running > 0 ? undefined : version;
    },
  };
}
