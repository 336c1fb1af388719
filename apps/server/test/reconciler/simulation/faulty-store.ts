import type { ReconcilerStore } from '../../../src/apps/reconciler-store.ts';
import type { Life } from './life.ts';
import type { Watchdog } from './watchdog.ts';
import type { World } from './world.ts';

const SLOWEST_MS = 30;

/** The store as one server sees it: slow, sometimes away, and sometimes away after it wrote. */
export function createFaultyStore(world: World, life: Life, watchdog: Watchdog): ReconcilerStore {
  const { store, faults } = world;
  return {
    app: (appId) => call(() => store.app(appId), watchdog.read),
    existingApps: () => call(() => store.existingApps()),
    appIds: () => call(() => store.appIds()),
    releases: (appId) => call(() => store.releases(appId)),
    addRelease: (release) => call(() => store.addRelease(release)),
    addPhase: (...phase) => call(() => store.addPhase(...phase)),
    setRevision: (...revision) => call(() => store.setRevision(...revision)),
    endRelease: (end) => call(() => store.endRelease(end)),
    report: (report) =>
      call(async () => {
        watchdog.reported(report);
        await store.report(report);
      }),
  };

  function call<T>(make: () => Promise<T>, seen: (answer: T) => void = () => {}): Promise<T> {
    return life.call(async () => {
      await faults.takeTime(SLOWEST_MS);
      if (faults.strikes('store call failed')) throw new Error('The database is away');
      const answer = await make();
      if (faults.strikes('store call failed after it worked')) throw new Error('No answer came');
      seen(answer);
      return answer;
    });
  }
}
