import { adoptApp } from './adopt.ts';
import type { EngineParts } from './deps.ts';
import type { LiveInstance } from './live-instance.ts';

/** All instances this server looks after. Those of an app are found on disk the first time it is asked for. */
export type Instances = {
  of(appId: string): Promise<Map<string, LiveInstance>>;
  forget(appId: string): void;
  changed(appId: string): void;
  watch(changed: (appId: string) => void): () => void;
  close(): Promise<void>;
};

export function createInstances(parts: EngineParts): Instances {
  const apps = new Map<string, Promise<Map<string, LiveInstance>>>();
  const watchers = new Set<(appId: string) => void>();

  function changed(appId: string): void {
    for (const watcher of watchers) watcher(appId);
  }

  function of(appId: string): Promise<Map<string, LiveInstance>> {
    const known = apps.get(appId);
    if (known !== undefined) return known;
    const adopted = adoptApp(appId, parts, changed);
    apps.set(appId, adopted);
    // A failure is not remembered: the next pass looks again.
    adopted.catch(() => apps.delete(appId));
    return adopted;
  }

  return {
    of,
    changed,
    forget: (appId) => void apps.delete(appId),
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    async close() {
      watchers.clear();
      const all = await Promise.all(apps.values());
      apps.clear();
      await Promise.all(all.flatMap((app) => [...app.values()].map((live) => live.close())));
    },
  };
}
