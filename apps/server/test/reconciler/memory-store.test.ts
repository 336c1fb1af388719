import { createSimulatedClock } from '@longshore/testkit';
import { createMemoryStore } from './memory-store.ts';
import { describeStore } from './store-contract.ts';

describeStore('memory', async () => {
  const store = createMemoryStore({ clock: createSimulatedClock() });
  const changes: string[] = [];
  store.listen((change) => {
    if (change.kind === 'resource') changes.push(change.change.id);
  });
  return {
    store,
    addApp: async () => store.addApp(),
    editApp: async (appId, change) => store.editApp(appId, change),
    deleteApp: async (appId) => store.deleteApp(appId),
    statusOf: async (appId) => store.statusOf(appId),
    releasesOf: async (appId) => store.releasesOf(appId),
    observedOf: async (appId) => store.observedOf(appId),
    changesOf: async (appId) => changes.filter((id) => id === appId).length,
    async clear() {},
  };
});
