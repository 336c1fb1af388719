import type { Engine, ReleaseSpec } from '../../../src/engines/engine.ts';
import { EngineFailure } from '../../../src/engines/failure.ts';
import type { Environment } from './environment.ts';
import type { Invariants } from './invariants.ts';
import { BUILD_FAILURES } from './refs.ts';
import type { ServerRun } from './server-run.ts';

const MAX_MS = {
  observe: 20,
  build: 120_000,
  command: 60_000,
  start: 500,
  listening: 5_000,
  stop: 10_000,
};
/** A call that stalls runs into its deadline. */
const DEADLINE_MS = 600_000;
const SILENT_MS = 60_000;
const CRASH_MS = 90_000;

/** The engine of one server. Its calls are slow, stall, or fail before or after they took effect. */
export function createFaultyEngine(
  environment: Environment,
  run: ServerRun,
  invariants: Invariants,
): Engine {
  const { engine, faults, clock, random, running, refOf } = environment;
  return {
    kind: engine.kind,
    hasProjectNetwork: engine.hasProjectNetwork,
    listApps: (signal) => call('observe', signal, () => engine.listApps(signal)),
    usage: (signal) => call('observe', signal, () => engine.usage(signal)),
    observe: (appId, signal) =>
      call('observe', signal, async () => {
        const observed = await engine.observe(appId, signal);
        invariants.observed(appId, observed);
        return observed;
      }),
    build: (spec, progress, signal) =>
      invariants.during(spec.appId, 'build', () =>
        call('build', signal, async () => {
          progress({ phase: 'fetching' });
          const failure = BUILD_FAILURES[refOf(spec)];
          if (failure !== undefined) throw new EngineFailure(failure);
          environment.setSpec(spec);
          const built = await engine.build(spec, progress, signal);
          environment.recordCommit(spec, built.revision);
          return built;
        }),
      ),
    reuseBuild: (spec, from, signal) =>
      invariants.during(spec.appId, 'reuse', () =>
        call('observe', signal, async () => {
          environment.setSpec(spec);
          await engine.reuseBuild(spec, from, signal);
        }),
      ),
    startInstance: (spec, signal) =>
      invariants.during(spec.appId, 'start', () =>
        call('start', signal, () => {
          invariants.starting(spec);
          return start(spec, signal);
        }),
      ),
    waitUntilListening: (instance, spec, signal) =>
      call('listening', signal, async () => {
        if (environment.refOfRelease(spec.appId, instance.release) === 'silent') {
          await faults.delay(SILENT_MS, signal);
          throw new EngineFailure('port-never-answered');
        }
        const port = await engine.waitUntilListening(instance, spec, signal);
        invariants.answered(instance);
        return port;
      }),
    protectInstances: (appId, instances, signal) =>
      call('observe', signal, async () => {
        await engine.protectInstances?.(appId, instances, signal);
      }),
    stopInstance: (appId, instance, signal) =>
      invariants.during(appId, 'stop', () =>
        call('stop', signal, async () => {
          invariants.stopping(appId, instance);
          await engine.stopInstance(appId, instance, signal);
          running.delete(instance.address.port);
        }),
      ),
    runCommand: (spec, command, signal) =>
      invariants.during(spec.appId, 'command', () =>
        call('command', signal, () => engine.runCommand(spec, command, signal)),
      ),
    pruneReleases: (appId, keep, signal) =>
      call('observe', signal, () => engine.pruneReleases(appId, keep, signal)),
    removeApp: (appId, signal) =>
      invariants.during(appId, 'remove', () =>
        call('stop', signal, async () => {
          invariants.removing(appId);
          await engine.removeApp(appId, signal);
          for (const { address } of environment.runningOf(appId)) running.delete(address.port);
        }),
      ),
    watch: (changed) =>
      engine.watch((appId) => {
        if (run.hasEnded() || faults.occurs('engine event lost')) return;
        changed(appId);
      }),
  };

  async function start(spec: ReleaseSpec, signal: AbortSignal) {
    const instance = await engine.startInstance(spec, signal);
    const { port } = instance.address;
    running.set(port, { appId: spec.appId, instance });
    environment.logs.set(spec.appId, [`listening on ${port}`]);
    if (refOf(spec) === 'crashing') {
      clock.setTimeout(() => environment.crash(port), random.below(CRASH_MS));
    }
    return instance;
  }

  function call<T>(
    kind: keyof typeof MAX_MS,
    signal: AbortSignal,
    make: () => Promise<T>,
  ): Promise<T> {
    return run.call(async () => {
      await faults.delay(MAX_MS[kind], signal);
      if (run.hasEnded()) throw new Error('The server was killed');
      if (faults.occurs('engine call failed')) throw faults.error();
      if (faults.occurs('engine call stalled')) {
        await faults.delay(DEADLINE_MS, signal);
        throw new EngineFailure('engine-failed', ['The deadline has passed']);
      }
      const result = await make();
      if (faults.occurs('engine call failed after it took effect')) throw faults.error();
      return result;
    });
  }
}
