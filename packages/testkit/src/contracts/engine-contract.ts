import type {
  BuildProgress,
  Engine,
  Instance,
  InstanceUsage,
  ReleaseSpec,
} from '@longshore/server/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** How long a build may take to start its program on a busy machine. */
const BUILD_START_MS = 120_000;

/** How long an app may take to use its processor for a moment. */
const BUSY_MS = 60_000;

/** Not enough for all test apps. */
const SMALL = { cpus: 0.5, memoryBytes: 128 * 1024 ** 2, processes: 64 };

type Progress = Parameters<BuildProgress>[0];

/** How the test app behaves. The harness provides its source. */
export type AppBehaviour =
  | 'serves'
  | 'exits with code 7'
  | 'uses 160 MB of memory, then serves'
  | 'serves, keeps 48 MB of memory and computes'
  | 'takes 3 s to finish after SIGTERM'
  | 'ignores SIGTERM'
  | 'does not build'
  | 'builds forever';

export type EngineHarness = {
  engine: Engine;
  /** The first release of a new app with this behaviour. */
  spec(behaviour: AppBehaviour): Promise<ReleaseSpec>;
  /** Whether the app that was stopped had ended by itself. */
  hasFinished(spec: ReleaseSpec): Promise<boolean>;
  /** Whether the memory of apps can be limited on this machine. */
  limitsMemory: boolean;
  /** What this engine refuses until it is finished. Its tests are skipped. */
  isWithout?: ('builds' | 'usage')[];
  /** Undefined for a fake. */
  machine?: {
    /** What builds create: processes and containers by their command, images, and folders. */
    traces(): Promise<string[]>;
    /** Part of the command that builds forever. */
    program: string;
  };
  /** Removes everything that the suite created. */
  clear(): Promise<void>;
};

/**
 * The contract of the `Engine` port. Every engine, and the fake one, runs this suite:
 * `describeEngineContract('docker', async () => ({ engine, spec, hasFinished, limitsMemory: true, clear }))`.
 */
export function describeEngineContract(
  name: string,
  createHarness: () => Promise<EngineHarness>,
): void {
  describe(`the ${name} engine`, () => {
    let harness: EngineHarness;
    let engine: Engine;
    const { signal } = new AbortController();

    beforeAll(async () => {
      harness = await createHarness();
      engine = harness.engine;
    });
    afterAll(() => harness.clear());

    it('observes nothing of an unknown app, and removes it without an error', async () => {
      const { appId } = await harness.spec('serves');
      expect(await engine.observe(appId, signal)).toEqual({ built: [], instances: [] });
      await engine.pruneReleases(appId, [], signal);
      await engine.removeApp(appId, signal);
      expect(await engine.listApps(signal)).not.toContain(appId);
    });

    it('builds a release once, and returns the same revision again', async () => {
      const spec = await harness.spec('serves');
      const phases: Progress[] = [];
      const first = await engine.build(spec, (phase) => phases.push(phase), signal);
      const { revision, inputs } = first;
      expect(phases.filter(({ phase }) => phase !== 'detected')).toEqual([
        { phase: 'fetching' },
        { phase: 'building', revision },
      ]);
      expect(inputs).toEqual({ arguments: [], startCommand: false });
      expect(await engine.build(spec, () => {}, signal)).toEqual(first);
      expect((await engine.observe(spec.appId, signal)).built).toEqual([1]);
      expect(await engine.listApps(signal)).toContain(spec.appId);
    });

    it('starts an instance that listens, and can stop it twice', async () => {
      const spec = await buildRelease('serves');
      const instance = await startAndWait(spec);
      expect(instance).toMatchObject({ release: 1, state: { kind: 'running' } });
      expect(instance.networkAlias !== undefined).toBe(engine.hasProjectNetwork);
      expect((await engine.observe(spec.appId, signal)).instances).toEqual([instance]);
      await engine.stopInstance(spec.appId, instance, signal);
      await engine.stopInstance(spec.appId, instance, signal);
      expect(await engine.observe(spec.appId, signal)).toEqual({ built: [1], instances: [] });
    });

    it('reports that an instance exited, and how, until it is stopped', async () => {
      const spec = await buildRelease('exits with code 7');
      const changed = nextChange(spec.appId);
      const instance = await engine.startInstance(spec, signal);
      await changed;
      expect((await engine.observe(spec.appId, signal)).instances).toMatchObject([
        { id: instance.id, state: { kind: 'exited', exit: { code: 7 } } },
      ]);
      await expect(engine.waitUntilListening(instance, spec, signal)).rejects.toMatchObject({
        reason: 'app-exited',
      });
      const next = await engine.startInstance(spec, signal);
      expect(next.id).not.toBe(instance.id);
      expect((await idsOf(spec)).sort()).toEqual([instance.id, next.id].sort());
      await engine.stopInstance(spec.appId, instance, signal);
      expect(await idsOf(spec)).toEqual([next.id]);
    });

    it('runs several instances of a release, each with its own address and log, and stops each alone', async () => {
      const spec = await buildRelease('serves');
      const instances = [
        await startAndWait(spec),
        await startAndWait(spec),
        await startAndWait(spec),
      ];
      const [first, second, third] = instances as [Instance, Instance, Instance];
      const addresses = instances.map(({ address }) => `${address.host}:${address.port}`);
      expect(new Set(addresses).size).toBe(3);
      expect(new Set(instances.map(({ logName }) => logName)).size).toBe(3);
      await engine.stopInstance(spec.appId, second, signal);
      const left = (await engine.observe(spec.appId, signal)).instances;
      expect(left).toEqual([first, third]);
      await Promise.all(left.map((instance) => engine.stopInstance(spec.appId, instance, signal)));
      expect(await engine.observe(spec.appId, signal)).toEqual({ built: [1], instances: [] });
    });

    it('shows which instances of web a drain of its machines may take all at once, if any', async () => {
      const spec = await buildRelease('serves');
      const one = await startAndWait(spec);
      const other = await startAndWait(spec);
      await engine.protectInstances?.(spec.appId, [other], signal);
      const unprotected = async () => {
        const { instances } = await engine.observe(spec.appId, signal);
        return instances.filter(({ isUnprotected }) => isUnprotected).map(({ id }) => id);
      };
      expect(await unprotected()).toEqual(one.isUnprotected ? [one.id] : []);
      await engine.protectInstances?.(spec.appId, [one, other], signal);
      expect(await unprotected()).toEqual([]);
      await engine.removeApp(spec.appId, signal);
    });

    it('runs another process beside web, without an address, and stops it alone', async () => {
      const spec = await buildRelease('serves');
      const web = await startAndWait(spec);
      const process = { ...spec, process: 'worker', ports: [], run: { command: 'sleep 600' } };
      const worker = await startAndWait(process);
      expect(web.process).toBeUndefined();
      expect(worker).toMatchObject({ process: 'worker', address: { port: 0 } });
      expect(worker.logName).toMatch(/-worker\.\d+$/);
      expect((await engine.observe(spec.appId, signal)).instances).toEqual([web, worker]);
      if (!harness.isWithout?.includes('usage')) {
        const usages = (await engine.usage(signal)).filter(({ appId }) => appId === spec.appId);
        const measured = usages.map(({ instanceId }) => instanceId).sort();
        expect(measured).toEqual([web.id, `worker.${worker.id}`].sort());
      }
      await engine.stopInstance(spec.appId, worker, signal);
      expect((await engine.observe(spec.appId, signal)).instances).toEqual([web]);
      await engine.stopInstance(spec.appId, web, signal);
    });

    it('gives an instance the size of its release', async ({ skip }) => {
      if (!harness.limitsMemory) skip();
      const large = await buildRelease('uses 160 MB of memory, then serves');
      const small = { ...large, number: 2, size: SMALL };
      await engine.reuseBuild(small, 1, signal);
      const changed = nextChange(large.appId);
      const killed = await engine.startInstance(small, signal);
      await changed;
      // The change may have been its start.
      await expect
        .poll(async () => (await engine.observe(large.appId, signal)).instances)
        .toMatchObject([
          { id: killed.id, state: { kind: 'exited', exit: { isOutOfMemory: true } } },
        ]);
      await engine.stopInstance(large.appId, killed, signal);
      const instance = await startAndWait(large);
      expect((await engine.observe(large.appId, signal)).instances).toEqual([instance]);
    });

    it('measures what running instances use', async ({ skip }) => {
      if (!harness.limitsMemory || harness.isWithout?.includes('usage')) skip();
      const busy = await buildRelease('serves, keeps 48 MB of memory and computes');
      const { id: instanceId } = await startAndWait(busy);
      const usageOfBusy = async () =>
        (await engine.usage(signal)).filter(({ appId }) => appId === busy.appId);
      const isUsed = ({ cpuSeconds = 0, memoryBytes = 0 }: InstanceUsage) =>
        cpuSeconds > 0.2 && memoryBytes > 48_000_000;
      await expect
        .poll(async () => (await usageOfBusy()).filter(isUsed), { timeout: BUSY_MS })
        .toMatchObject([{ appId: busy.appId, instanceId }]);
      const [first] = await usageOfBusy();
      await expect
        .poll(async () => (await usageOfBusy())[0]?.cpuSeconds, { timeout: BUSY_MS })
        .toBeGreaterThan(first?.cpuSeconds ?? 0);
      const [running] = (await engine.observe(busy.appId, signal)).instances;
      if (running !== undefined) await engine.stopInstance(busy.appId, running, signal);
      expect(await usageOfBusy()).toEqual([]);
    });

    it('waits for an instance that needs time to finish, as long as its release allows', async () => {
      const spec = await buildRelease('takes 3 s to finish after SIGTERM');
      const patient = { ...spec, run: { stopGraceSeconds: 60 } };
      await engine.stopInstance(spec.appId, await startAndWait(patient), signal);
      expect(await harness.hasFinished(spec)).toBe(true);
      expect((await engine.observe(spec.appId, signal)).instances).toEqual([]);
    });

    it('kills an instance that ignores SIGTERM after the time that its release has', async () => {
      const spec = await buildRelease('ignores SIGTERM');
      const impatient = { ...spec, run: { stopGraceSeconds: 1 } };
      await engine.stopInstance(spec.appId, await startAndWait(impatient), signal);
      expect(await harness.hasFinished(spec)).toBe(false);
      expect((await engine.observe(spec.appId, signal)).instances).toEqual([]);
    });

    it('throws the reason of a failed build after its revision, and does not list the release as built', async ({
      skip,
    }) => {
      if (harness.isWithout?.includes('builds')) skip();
      const spec = await harness.spec('does not build');
      const phases: Progress[] = [];
      const building = engine.build(spec, (phase) => phases.push(phase), signal);
      await expect(building).rejects.toMatchObject({ reason: 'build-failed' });
      const revision = expect.stringMatching(/^(sha256:)?[0-9a-f]{40,}$/);
      expect(phases.findLast(({ phase }) => phase !== 'detected')).toEqual({
        phase: 'building',
        revision,
      });
      expect((await engine.observe(spec.appId, signal)).built).toEqual([]);
    });

    it.each(['fetching', 'building'])('stops a build on abort while it is %s', async (phase) => {
      const spec = await harness.spec('builds forever');
      const before = await traces();
      const stop = new AbortController();
      const onPhase: BuildProgress = (progress) => void (progress.phase === phase && stop.abort());
      await expect(engine.build(spec, onPhase, stop.signal)).rejects.toThrow();
      expect((await engine.observe(spec.appId, signal)).built).toEqual([]);
      expect(await traces()).toEqual(before);
    });

    it('stops the program of a build on abort, and leaves nothing behind', async ({ skip }) => {
      if (harness.isWithout?.includes('builds')) skip();
      const spec = await harness.spec('builds forever');
      const before = await traces();
      const stop = new AbortController();
      const building = engine.build(spec, () => {}, stop.signal);
      const hasStarted = async () =>
        harness.machine === undefined || (await traces()).some(isProgram);
      const started = expect.poll(hasStarted, { timeout: BUILD_START_MS }).toBe(true);
      await Promise.race([building, started]);
      stop.abort();
      await expect(building).rejects.toThrow();
      // Docker removes the container of the build after the connection was closed.
      await expect.poll(traces).toEqual(before);
    });

    it('prunes every release that is not listed, whatever its number', async () => {
      const first = await buildRelease('serves');
      await engine.build({ ...first, number: 2 }, () => {}, signal);
      await engine.pruneReleases(first.appId, [1], signal);
      expect((await engine.observe(first.appId, signal)).built).toEqual([1]);
    });

    it('refuses to start a release that is not built', async () => {
      const spec = await harness.spec('serves');
      await expect(engine.startInstance(spec, signal)).rejects.toMatchObject({
        reason: 'engine-failed',
      });
    });

    it('runs two releases at the same time, and prunes neither while it runs', async () => {
      const first = await buildRelease('serves');
      const second = { ...first, number: 2 };
      await engine.build(second, () => {}, signal);
      const old = await startAndWait(first);
      const current = await startAndWait(second);
      expect(old.address).not.toEqual(current.address);
      await engine.pruneReleases(first.appId, [2], signal);
      expect((await engine.observe(first.appId, signal)).built).toEqual([1, 2]);
      await engine.stopInstance(first.appId, old, signal);
      await engine.pruneReleases(first.appId, [2], signal);
      expect(await engine.observe(first.appId, signal)).toEqual({
        built: [2],
        instances: [current],
      });
    });

    it('reuses a build for another release, and keeps it while that release needs it', async () => {
      const first = await harness.spec('serves');
      const second = { ...first, number: 2 };
      const revision = await engine.build(first, () => {}, signal);
      await engine.reuseBuild(second, 1, signal);
      await engine.reuseBuild(second, 1, signal);
      expect((await engine.observe(first.appId, signal)).built).toEqual([1, 2]);
      const old = await startAndWait(first);
      const current = await startAndWait(second);
      await engine.stopInstance(first.appId, old, signal);
      await engine.pruneReleases(first.appId, [2], signal);
      expect(await engine.observe(first.appId, signal)).toEqual({
        built: [2],
        instances: [current],
      });
      await engine.stopInstance(first.appId, current, signal);
      expect(await startAndWait(second)).toMatchObject({ release: 2 });
      expect(await engine.build(second, () => {}, signal)).toEqual(revision);
    });

    it('refuses to reuse a release that is not built', async () => {
      const spec = await buildRelease('serves');
      const reusing = engine.reuseBuild({ ...spec, number: 3 }, 2, signal);
      await expect(reusing).rejects.toMatchObject({ reason: 'engine-failed' });
      expect((await engine.observe(spec.appId, signal)).built).toEqual([1]);
    });

    it('removes an app with its running instances', async () => {
      const spec = await buildRelease('serves');
      const instance = await startAndWait(spec);
      await engine.removeApp(spec.appId, signal);
      await engine.removeApp(spec.appId, signal);
      expect(await engine.observe(spec.appId, signal)).toEqual({ built: [], instances: [] });
      expect(await engine.listApps(signal)).not.toContain(spec.appId);
      await engine.stopInstance(spec.appId, instance, signal);
    });

    async function idsOf({ appId }: ReleaseSpec): Promise<string[]> {
      return (await engine.observe(appId, signal)).instances.map(({ id }) => id);
    }

    async function traces(): Promise<string[]> {
      return (await harness.machine?.traces())?.sort() ?? [];
    }

    function isProgram(trace: string): boolean {
      return harness.machine !== undefined && trace.includes(harness.machine.program);
    }

    async function buildRelease(behaviour: AppBehaviour): Promise<ReleaseSpec> {
      const spec = await harness.spec(behaviour);
      await engine.build(spec, () => {}, signal);
      return spec;
    }

    async function startAndWait(spec: ReleaseSpec): Promise<Instance> {
      const instance = await engine.startInstance(spec, signal);
      await engine.waitUntilListening(instance, spec, signal);
      return instance;
    }

    function nextChange(appId: string): Promise<void> {
      return new Promise((resolve) => {
        const stop = engine.watch((changed) => {
          if (changed !== appId) return;
          stop();
          resolve();
        });
      });
    }
  });
}
