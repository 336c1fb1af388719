import { adoptApp } from './adopt.ts';
import type { EngineDeps } from './deps.ts';
import type { SupervisedInstance } from './supervised-instance.ts';

/** All supervised instances. The instances of an app are adopted from disk when they are first requested. */
export type InstanceRegistry = {
  ofApp(appId: string): Promise<Map<string, SupervisedInstance>>;
  /** The instances of all apps that were requested. */
  all(): Promise<Map<string, Map<string, SupervisedInstance>>>;
  forget(appId: string): void;
  changed(appId: string): void;
  watch(changed: (appId: string) => void): () => void;
  close(): Promise<void>;
};

export function createInstanceRegistry(deps: EngineDeps): InstanceRegistry {
  const apps = new Map<string, Promise<Map<string, SupervisedInstance>>>();
  const watchers = new Set<(appId: string) => void>();

  function changed(appId: string): void {
    for (const watcher of watchers) watcher(appId);
  }

  function ofApp(appId: string): Promise<Map<string, SupervisedInstance>> {
    const known = apps.get(appId);
    if (known !== undefined) return known;
    const adopted = adoptApp(appId, deps, changed);
    apps.set(appId, adopted);
    // A failure is not cached: the next pass tries again.
    adopted.catch(() => apps.delete(appId));
    return adopted;
  }

  return {
    ofApp,
    async all() {
      const known = [...apps].map(async ([appId, instances]) => {
        // An app that cannot be adopted has a failing pass already.
        return [appId, await instances.catch(() => new Map())] as const;
      });
      return new Map(await Promise.all(known));
    },
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
