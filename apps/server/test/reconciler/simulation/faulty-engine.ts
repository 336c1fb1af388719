import type { Engine, ReleaseSpec } from '../../../src/engines/engine.ts';
import { EngineFailure } from '../../../src/engines/failure.ts';
import type { Life } from './life.ts';
import { BUILD_FAILURES } from './refs.ts';
import type { Watchdog } from './watchdog.ts';
import type { World } from './world.ts';

const SLOWEST_MS = { look: 20, build: 120_000, start: 500, answers: 5_000, stop: 10_000 };
/** A call that stalls runs into its deadline. */
const DEADLINE_MS = 600_000;
const SILENT_MS = 60_000;
const CRASH_MS = 90_000;

/** The engine as one server sees it: slow, failing before or after it did something, or stalled. */
export function createFaultyEngine(world: World, life: Life, watchdog: Watchdog): Engine {
  const { engine, faults, clock, random, running, refOf } = world;
  return {
    kind: engine.kind,
    listApps: (signal) => call('look', signal, () => engine.listApps(signal)),
    observe: (appId, signal) =>
      call('look', signal, async () => {
        const observed = await engine.observe(appId, signal);
        watchdog.observed(appId, observed);
        return observed;
      }),
    build: (spec, progress, signal) =>
      watchdog.during(spec.appId, 'build', () =>
        call('build', signal, async () => {
          progress('fetching');
          const failure = BUILD_FAILURES[refOf(spec)];
          if (failure !== undefined) throw new EngineFailure(failure);
          world.setSpec(spec);
          const built = await engine.build(spec, progress, signal);
          world.noteCommit(spec, built.revision);
          return built;
        }),
      ),
    reuseBuild: (spec, from, signal) =>
      watchdog.during(spec.appId, 'reuse', () =>
        call('look', signal, async () => {
          world.setSpec(spec);
          await engine.reuseBuild(spec, from, signal);
        }),
      ),
    startInstance: (spec, signal) =>
      watchdog.during(spec.appId, 'start', () =>
        call('start', signal, () => {
          watchdog.starting(spec);
          return start(spec, signal);
        }),
      ),
    waitUntilListening: (instance, spec, signal) =>
      call('answers', signal, async () => {
        if (world.refOfRelease(spec.appId, instance.release) === 'silent') {
          await faults.takeTime(SILENT_MS, signal);
          throw new EngineFailure('port-never-answered');
        }
        await engine.waitUntilListening(instance, spec, signal);
        watchdog.answered(instance);
      }),
    stopInstance: (appId, instance, signal) =>
      watchdog.during(appId, 'stop', () =>
        call('stop', signal, async () => {
          watchdog.stopping(appId, instance);
          await engine.stopInstance(appId, instance, signal);
          running.delete(instance.address.port);
        }),
      ),
    pruneReleases: (appId, keep, signal) =>
      call('look', signal, () => engine.pruneReleases(appId, keep, signal)),
    removeApp: (appId, signal) =>
      watchdog.during(appId, 'remove', () =>
        call('stop', signal, async () => {
          watchdog.removing(appId);
          await engine.removeApp(appId, signal);
          for (const { address } of world.runningOf(appId)) running.delete(address.port);
        }),
      ),
    watch: (changed) =>
      engine.watch((appId) => {
        if (life.isOver() || faults.strikes('engine event lost')) return;
        changed(appId);
      }),
  };

  async function start(spec: ReleaseSpec, signal: AbortSignal) {
    const instance = await engine.startInstance(spec, signal);
    const { port } = instance.address;
    running.set(port, { appId: spec.appId, instance });
    world.logs.set(spec.appId, [`listening on ${port}`]);
    if (refOf(spec) === 'crashing') {
      clock.setTimeout(() => world.crash(port), random.below(CRASH_MS));
    }
    return instance;
  }

  function call<T>(
    kind: keyof typeof SLOWEST_MS,
    signal: AbortSignal,
    make: () => Promise<T>,
  ): Promise<T> {
    return life.call(async () => {
      await faults.takeTime(SLOWEST_MS[kind], signal);
      if (life.isOver()) throw new Error('Nobody is there to go on');
      if (faults.strikes('engine call failed')) throw faults.error();
      if (faults.strikes('engine call stalled')) {
        await faults.takeTime(DEADLINE_MS, signal);
        throw new EngineFailure('engine-failed', ['The deadline is over']);
      }
      const answer = await make();
      if (faults.strikes('engine call failed after it worked')) throw faults.error();
      return answer;
    });
  }
}
