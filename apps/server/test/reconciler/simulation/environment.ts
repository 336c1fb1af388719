import { createSimulatedClock } from '@longshore/testkit';
import { createFakeEngine } from '@longshore/testkit/engine';
import type { Exit, Instance, ReleaseSpec } from '../../../src/engines/engine.ts';
import { createMemoryStore } from '../memory-store.ts';
import { createFaults } from './faults.ts';
import { createRandom } from './random.ts';
import { createRefs } from './refs.ts';

const EXITS: [Pick<Exit, 'code' | 'signal'>, ...Pick<Exit, 'code' | 'signal'>[]] = [
  { code: 1, signal: undefined },
  { code: undefined, signal: 'SIGKILL' },
  { code: undefined, signal: undefined },
];

export type RunningInstance = { appId: string; instance: Instance };

/** What outlives a server: the database, the machine with its instances, time, and randomness. */
export function createEnvironment(seed: number) {
  const random = createRandom(seed);
  const clock = createSimulatedClock();
  const faults = createFaults({ random, clock });
  /** The wall clock of the machine can be set; the monotonic clock of the server is not affected. */
  const wall = { offsetMs: 0 };
  const wallClock = { now: () => clock.now() + wall.offsetMs };
  const store = createMemoryStore({ clock: wallClock });
  const engine = createFakeEngine({ clock: wallClock });
  /** Instances that run, by their port. */
  const running = new Map<number, RunningInstance>();
  const refs = createRefs();
  const specs = new Map<string, ReleaseSpec>();
  const logs = new Map<string, string[]>();
  const violations: string[] = [];

  /** The spec a release was built from. */
  function specOf(appId: string, release: number): ReleaseSpec | undefined {
    return specs.get(`${appId}/${release}`);
  }

  return {
    random,
    clock,
    faults,
    store,
    engine,
    running,
    logs,
    violations,
    /** Records that an invariant was broken. */
    addViolation(violation: string) {
      violations.push(`${new Date(clock.now()).toISOString()} ${violation}`);
    },
    /** Sets the wall clock forward or back. */
    shiftClock(byMs: number) {
      wall.offsetMs += byMs;
    },
    specOf,
    ...refs,
    refOfRelease(appId: string, release: number) {
      const spec = specOf(appId, release);
      return spec && refs.refOf(spec);
    },
    setSpec: (spec: ReleaseSpec) => void specs.set(`${spec.appId}/${spec.number}`, spec),
    runningOf: (appId: string) =>
      [...running.values()].filter((each) => each.appId === appId).map((each) => each.instance),
    /** Kills an instance, if it is still running. */
    crash(port: number) {
      const crashed = running.get(port);
      if (crashed === undefined) return;
      running.delete(port);
      engine.exitInstance(crashed.appId, crashed.instance.id, random.pick(EXITS));
    },
  };
}

export type Environment = ReturnType<typeof createEnvironment>;
