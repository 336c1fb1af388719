import type { ReconcilerStore } from '../../../src/apps/reconciler-store.ts';
import type { Environment } from './environment.ts';
import type { Invariants } from './invariants.ts';
import type { ServerRun } from './server-run.ts';

const MAX_MS = 30;

/** The store of one server. Its calls are slow, or fail before or after they took effect. */
export function createFaultyStore(
  environment: Environment,
  run: ServerRun,
  invariants: Invariants,
): ReconcilerStore {
  const { store, faults } = environment;
  return {
    app: (appId) => call(() => store.app(appId), invariants.read),
    existingApps: () => call(() => store.existingApps()),
    appIds: () => call(() => store.appIds()),
    releases(appId) {
      invariants.planning(appId);
      return call(() => store.releases(appId));
    },
    desiredHashOf: store.desiredHashOf,
    addRelease: (release) => call(() => store.addRelease(release)),
    addPhase: (...phase) => call(() => store.addPhase(...phase)),
    setBuildInputs: (...inputs) => call(() => store.setBuildInputs(...inputs)),
    setRevision: (...revision) => call(() => store.setRevision(...revision)),
    setCommandDone: (...done) => call(() => store.setCommandDone(...done)),
    addDetected: (...detected) => call(() => store.addDetected(...detected)),
    setFixes: (...fixes) => call(() => store.setFixes(...fixes)),
    endRelease: (end) => call(() => store.endRelease(end)),
    revokeRelease: (end) => call(() => store.revokeRelease(end)),
    setServing: (...serving) => call(() => store.setServing(...serving)),
    report: (report) =>
      call(async () => {
        invariants.reported(report);
        await store.report(report);
      }),
  };

  function call<T>(make: () => Promise<T>, onResult: (result: T) => void = () => {}): Promise<T> {
    return run.call(async () => {
      await faults.delay(MAX_MS);
      if (faults.occurs('store call failed')) throw new Error('The database is down');
      const result = await make();
      if (faults.occurs('store call failed after it took effect'))
        throw new Error('The connection was lost');
      onResult(result);
      return result;
    });
  }
}
