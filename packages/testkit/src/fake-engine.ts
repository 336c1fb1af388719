import { createHash } from 'node:crypto';
import { DEFAULT_STOP_GRACE_SECONDS, instanceLogName, instanceName } from '@longshore/contract';
import {
  type CommandEnd,
  type Engine,
  EngineFailure,
  type Exit,
  type Instance,
  type InstanceUsage,
  type ReleaseSpec,
} from '@longshore/server/engine';

/** Outcome of a call: it succeeds, hangs until it is aborted, or throws the error. */
export type FakeOutcome = 'works' | 'stalls' | Error;

/** Outcomes of the calls for one app. The default is `works`. */
export type FakeBehaviour = {
  observe?: FakeOutcome;
  build?: FakeOutcome;
  reuseBuild?: FakeOutcome;
  startInstance?: FakeOutcome;
  waitUntilListening?: FakeOutcome;
  protectInstances?: FakeOutcome;
  stopInstance?: FakeOutcome;
  runCommand?: FakeOutcome;
  removeApp?: FakeOutcome;
  /** Each instance exits right after its start. */
  exitsAfterStart?: FakeExit;
  /** Each instance of this process does. */
  exitingProcess?: string;
  /** An instance of a size with less memory exits right after its start. */
  memoryBytes?: number;
  /** What each instance uses. Default: nothing is measured. */
  usage?: () => Omit<InstanceUsage, 'appId' | 'instanceId'>;
  /** The time that an instance needs after SIGTERM. Default: none. */
  finishesAfterSeconds?: number;
  /** Others may take away instances that are not protected. */
  needsProtection?: boolean;
  /** Watchers are not notified, as when an event of the engine is lost. */
  losesEvents?: boolean;
};

/** How an instance exits. */
export type FakeExit = Omit<Exit, 'at'>;

export type FakeCall = { action: keyof Engine; appId: string; release?: number };

/**
 * An in-memory engine for tests of the reconciler. It runs nothing, and passes the same contract suite as the real engines.
 * Tests set its behaviour per app, make instances exit, and read the calls it received.
 */
export type FakeEngine = Engine & {
  /** Calls that succeeded, in order. */
  readonly calls: FakeCall[];
  /** How the last instance of each app ended that was stopped. */
  readonly stops: ReadonlyMap<string, 'finished' | 'killed'>;
  /** Applies to later calls for the app. Calls that already hang continue to hang. */
  setBehaviour(appId: string, behaviour: FakeBehaviour): void;
  /** Makes an instance exit. */
  exitInstance(appId: string, instanceId: string, exit?: FakeExit): void;
};

/** Of the commands of an app that run. */
type FakeCommand = { appId: string; id: string; release: number; stopping: AbortController };

type FakeApp = { built: Set<number>; instances: Map<string, Instance>; lastInstance: number };

const FIRST_PORT = 30_000;

export function createFakeEngine({ clock }: { clock: { now(): number } }): FakeEngine {
  const apps = new Map<string, FakeApp>();
  const behaviours = new Map<string, FakeBehaviour>();
  const watchers = new Set<(appId: string) => void>();
  const calls: FakeCall[] = [];
  const stops = new Map<string, 'finished' | 'killed'>();
  /** Of each instance. */
  const graceSeconds = new Map<string, number>();
  let lastPort = FIRST_PORT;
  const commands = new Set<FakeCommand>();

  function appOf(appId: string): FakeApp {
    const app = apps.get(appId) ?? { built: new Set(), instances: new Map(), lastInstance: 0 };
    apps.set(appId, app);
    return app;
  }

  /** Records the call, hangs or throws, depending on the behaviour of the app. */
  async function performCall(
    call: FakeCall & { action: Exclude<keyof FakeBehaviour & keyof Engine, 'usage'> },
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    const outcome = behaviours.get(call.appId)?.[call.action] ?? 'works';
    if (outcome === 'stalls') await untilAborted(signal);
    if (outcome instanceof Error) throw outcome;
    calls.push(call);
  }

  function exitInstance(appId: string, instanceId: string, exit: FakeExit): void {
    const { instances } = appOf(appId);
    const instance = instances.get(instanceId);
    if (instance === undefined || instance.state.kind === 'exited') return;
    const at = new Date(clock.now());
    instances.set(instanceId, { ...instance, state: { kind: 'exited', exit: { ...exit, at } } });
    if (behaviours.get(appId)?.losesEvents === true) return;
    for (const watcher of watchers) watcher(appId);
  }

  function createInstance(spec: ReleaseSpec): Instance {
    const { appId, number, projectId, name, run, process } = spec;
    const app = appOf(appId);
    app.lastInstance += 1;
    lastPort += 1;
    const instance: Instance = {
      id: String(app.lastInstance),
      release: number,
      ...(process && { process }),
      networkAlias: { projectId, name },
      ...(behaviours.get(appId)?.needsProtection && { isUnprotected: true }),
      logName: instanceLogName(appId, app.lastInstance, process),
      address: { host: '127.0.0.1', port: process === undefined ? lastPort : 0 },
      startedAt: new Date(clock.now()),
      state: { kind: 'running' },
    };
    app.instances.set(instance.id, instance);
    graceSeconds.set(instance.logName, run?.stopGraceSeconds ?? DEFAULT_STOP_GRACE_SECONDS);
    return instance;
  }

  return {
    kind: 'process',
    hasProjectNetwork: true,
    calls,
    stops,
    setBehaviour: (appId, behaviour) => void behaviours.set(appId, behaviour),
    exitInstance: (appId, instanceId, exit = { code: 1, signal: undefined }) =>
      exitInstance(appId, instanceId, exit),

    async listApps() {
      return [...apps.keys()].sort();
    },

    async observe(appId, signal) {
      await performCall({ action: 'observe', appId }, signal);
      const app = apps.get(appId);
      return {
        built: [...(app?.built ?? [])].sort((one, other) => one - other),
        instances: [...(app?.instances.values() ?? [])],
      };
    },

    async build(spec, progress, signal) {
      const { appId, number } = spec;
      progress({ phase: 'fetching' });
      progress({ phase: 'building', revision: revisionOf(spec) });
      await performCall({ action: 'build', appId, release: number }, signal);
      appOf(appId).built.add(number);
      const inputs = { arguments: [], startCommand: false };
      return { revision: revisionOf(spec), inputs };
    },

    async reuseBuild({ appId, number }, from, signal) {
      await performCall({ action: 'reuseBuild', appId, release: number }, signal);
      const built = apps.get(appId)?.built;
      if (!built?.has(from)) {
        throw new EngineFailure('engine-failed', [`Release ${from} is not built`]);
      }
      built.add(number);
    },

    async startInstance(spec, signal) {
      const { appId, number } = spec;
      await performCall({ action: 'startInstance', appId, release: number }, signal);
      if (!apps.get(appId)?.built.has(number)) {
        throw new EngineFailure('engine-failed', [`Release ${number} is not built`]);
      }
      const instance = createInstance(spec);
      const exit = exitOf(spec, behaviours.get(appId));
      if (exit !== undefined) queueMicrotask(() => exitInstance(appId, instance.id, exit));
      return instance;
    },

    async waitUntilListening(instance, { appId }, signal) {
      await performCall({ action: 'waitUntilListening', appId, release: instance.release }, signal);
      const state = apps.get(appId)?.instances.get(instance.id)?.state;
      if (state?.kind === 'running') return { instance, foundPort: undefined };
      throw new EngineFailure('app-exited', [`Exit code ${state?.exit.code ?? 'unknown'}`]);
    },

    async protectInstances(appId, instances, signal) {
      await performCall({ action: 'protectInstances', appId }, signal);
      const app = appOf(appId);
      for (const { id } of instances) {
        const { isUnprotected: _, ...instance } = app.instances.get(id) ?? {};
        if ('id' in instance) app.instances.set(id, instance);
      }
    },

    async stopInstance(appId, instance, signal) {
      await performCall({ action: 'stopInstance', appId, release: instance.release }, signal);
      if (apps.get(appId)?.instances.delete(instance.id) !== true) return;
      const needed = behaviours.get(appId)?.finishesAfterSeconds ?? 0;
      const allowed = graceSeconds.get(instance.logName) ?? 0;
      stops.set(appId, needed <= allowed ? 'finished' : 'killed');
    },

    async runCommand({ appId, number }, { id, text, timeoutMs }, signal) {
      const ofApp = [...commands].filter((command) => command.appId === appId);
      if (ofApp.some((command) => command.id === id) || !apps.get(appId)?.built.has(number)) {
        throw new EngineFailure('engine-failed', ['The command cannot run']);
      }
      const command = { appId, id, release: number, stopping: new AbortController() };
      commands.add(command);
      try {
        const stopped = AbortSignal.any([signal, command.stopping.signal]);
        await performCall({ action: 'runCommand', appId, release: number }, stopped);
        return await fakeEnd(text, timeoutMs, stopped);
      } finally {
        commands.delete(command);
      }
    },

    async pruneReleases(appId, keep, signal) {
      signal.throwIfAborted();
      const app = apps.get(appId);
      if (app === undefined) return;
      calls.push({ action: 'pruneReleases', appId });
      const running = [...app.instances.values()].filter(({ state }) => state.kind === 'running');
      const used = [...running, ...[...commands].filter((command) => command.appId === appId)];
      const retained = new Set([...keep, ...used.map(({ release }) => release)]);
      for (const number of app.built) {
        if (!retained.has(number)) app.built.delete(number);
      }
    },

    async removeApp(appId, signal) {
      await performCall({ action: 'removeApp', appId }, signal);
      for (const command of commands) if (command.appId === appId) command.stopping.abort();
      apps.delete(appId);
    },

    async usage(signal) {
      signal.throwIfAborted();
      return [...apps].flatMap(([appId, { instances }]) =>
        [...instances.values()]
          .filter(({ state }) => state.kind === 'running')
          .map(({ id, process }) => ({
            appId,
            instanceId: instanceName(id, process),
            ...behaviours.get(appId)?.usage?.(),
          })),
      );
    },

    watch(onChange) {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
  };
}

const OUT_OF_MEMORY: FakeExit = { code: undefined, signal: 'SIGKILL', isOutOfMemory: true };

function exitOf(
  { size, process }: ReleaseSpec,
  behaviour: FakeBehaviour = {},
): FakeExit | undefined {
  const { exitsAfterStart, exitingProcess, memoryBytes = 0 } = behaviour;
  if (process !== undefined && process === exitingProcess) return { code: 3, signal: undefined };
  return memoryBytes > size.memoryBytes ? OUT_OF_MEMORY : exitsAfterStart;
}

/** `sleep` runs until it is ended, `exit` exits with a code, an unknown program is not found, and all others succeed. */
async function fakeEnd(text: string, timeoutMs: number, signal: AbortSignal): Promise<CommandEnd> {
  if (text.includes('sleep')) {
    const timeout = AbortSignal.timeout(timeoutMs);
    await untilAborted(AbortSignal.any([signal, timeout])).catch(() => signal.throwIfAborted());
    return { kind: 'timed-out' };
  }
  const [, code] = /exit (\d+)/.exec(text) ?? [];
  const missing = text.startsWith('no-such-program') ? 127 : 0;
  return { kind: 'exited', exit: { code: Number(code ?? missing), signal: undefined } };
}

const COMMIT = /^[0-9a-f]{40}$/;

/** A branch always resolves to the same commit, and a tag to the same digest. */
function revisionOf({ origin }: ReleaseSpec): string {
  if (origin.kind === 'git') {
    return COMMIT.test(origin.ref) ? origin.ref : digestOf('sha1', `${origin.url}#${origin.ref}`);
  }
  const [, digest] = origin.image.split('@');
  return digest ?? `sha256:${digestOf('sha256', origin.image)}`;
}

function digestOf(algorithm: 'sha1' | 'sha256', text: string): string {
  return createHash(algorithm).update(text).digest('hex');
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
