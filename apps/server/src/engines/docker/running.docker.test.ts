import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SERVES,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { createOperator, type Operator } from '../../../test/engines/docker/operator.ts';
import { nodeApp } from '../../../test/engines/process/engine-bench.ts';
import type { Exit, Instance, ReleaseSpec } from '../engine.ts';
import type { DockerEngine } from './engine.ts';
import { imageTag, networkName } from './ownership.ts';

/** Serves the output of a command. */
const prints = (command: string) =>
  `CMD ["sh", "-c", "busybox mkdir /site; (${command}) > /site/index.html 2>&1; exec httpd -f -p $PORT -h /site"]`;

describe.skipIf(!canRunDocker)('running apps', () => {
  let bench: DockerBench;
  let engine: DockerEngine;
  let operator: Operator;
  let shortTimeoutEngine: DockerEngine | undefined;

  beforeAll(async () => {
    bench = await createDockerBench();
    engine = await bench.engine();
    operator = createOperator(bench.daemon.api);
    await operator.pull(bench.images.shellImage);
  });
  afterAll(() => bench.clear());

  it('ends the command of an earlier server before it observes', async () => {
    const spec = await bench.spec([SERVES]);
    await engine.build(spec, () => {}, SIGNAL);
    const command = { id: 'release', text: 'sleep 27182', logName: 'log', timeoutMs: 600_000 };
    const running = engine.runCommand(spec, command, SIGNAL).catch(() => undefined);
    const containers = async () =>
      (await operator.containers()).filter(({ Command }) => Command === 'sleep 27182').length;
    await expect.poll(containers, { timeout: 60_000 }).toBe(1);
    await bench.closeEngines();
    engine = await bench.engine();
    expect((await engine.observe(spec.appId, SIGNAL)).instances).toEqual([]);
    expect(await containers()).toBe(0);
    await running;
    const again = { ...command, text: 'sh -c "exit 5"' };
    expect(await engine.runCommand(spec, again, SIGNAL)).toMatchObject({ exit: { code: 5 } });
    await engine.removeApp(spec.appId, SIGNAL);
  });

  it('applies resource limits to an app and gives it no access to the machine', async () => {
    const spec = await bench.spec([
      prints('cat /sys/fs/cgroup/memory/memory.limit_in_bytes; cat /proc/self/status'),
    ]);
    const instance = await buildAndStart(engine, spec);
    const { HostConfig, Mounts } = await inspect(spec);
    expect(Mounts).toEqual([]);
    expect(HostConfig).toMatchObject({
      NanoCpus: 500_000_000,
      Memory: 536_870_912,
      MemorySwap: 536_870_912,
      PidsLimit: 256,
      Privileged: false,
      PidMode: '',
      UTSMode: '',
      UsernsMode: '',
      Binds: null,
      CapAdd: null,
      SecurityOpt: ['no-new-privileges'],
      RestartPolicy: { Name: 'unless-stopped' },
      PortBindings: null,
    });
    const text = await textOf(instance);
    expect(text).toMatch(/^536870912$/m);
    expect(text).toMatch(/^NoNewPrivs:\s+1$/m);
    // Without raw packets (13), devices (27) and the audit log (29).
    const capabilities = BigInt(`0x${/^CapBnd:\s+(\w+)$/m.exec(text)?.[1]}`);
    expect([13n, 27n, 29n].map((bit) => (capabilities >> bit) & 1n)).toEqual([0n, 0n, 0n]);
  });

  it('connects apps of one project by name, and isolates other projects by name and address', async () => {
    const projectId = randomUUID();
    const shop = await bench.spec([prints('echo the shop')], { projectId, name: 'shop' });
    await buildAndStart(engine, shop);
    const { NetworkSettings } = await inspect(shop);
    const [network] = Object.values(NetworkSettings.Networks);
    const proxyApp = nodeApp(`fetch('http:/' + request.url, { signal: AbortSignal.timeout(5_000) })
      .then((found) => found.text(), () => 'nothing')`);
    const url = await bench.repositories.repository(proxyApp);
    const sameProject = bench.repositories.spec(url, { projectId, name: 'client' });
    const otherProject = bench.repositories.spec(url, { name: 'client' });
    const inside = await buildAndStart(engine, sameProject);
    const outside = await buildAndStart(engine, otherProject);
    const address = network?.IPAddress ?? '';
    const fromSameProject = [
      await textOf(inside, '/shop:3000/'),
      await textOf(inside, `/${address}:3000/`),
    ];
    const fromOtherProject = [
      await textOf(outside, '/shop:3000/'),
      await textOf(outside, `/${address}:3000/`),
    ];
    expect(fromSameProject).toEqual(['"the shop\\n"', '"the shop\\n"']);
    expect(fromOtherProject).toEqual(['"nothing"', '"nothing"']);
  });

  it('passes variables unchanged, except PORT', async () => {
    const hostile = '$(id) `id` ; rm -rf / "quoted" \'single\' \\ \n second = line';
    const env = { HOSTILE: hostile, LD_PRELOAD_X: '--privileged', PORT: '4000' };
    const spec = await bench.spec([SERVES], { env });
    await buildAndStart(engine, spec);
    const { Config } = await inspect(spec);
    expect(Config.Env).toEqual(
      expect.arrayContaining([
        `HOSTILE=${hostile}`,
        'LD_PRELOAD_X=--privileged',
        'HOST=0.0.0.0',
        'PORT=3000',
      ]),
    );
  });

  it.each([
    [
      'only on loopback',
      'httpd -f -p 127.0.0.1:3000',
      'listens-on-loopback',
      'The app listens on 127.0.0.1 port 3000',
    ],
    [
      'on another port',
      'httpd -f -p 8080',
      'listens-elsewhere',
      'The app listens on port 8080, but port 3000 is configured',
    ],
    ['on no port', 'sleep 1000', 'port-never-answered', 'The app does not listen on any port'],
  ])('reports that an app listens %s', async (_, command, reason, sentence) => {
    const spec = await bench.spec([`CMD ["sh", "-c", "echo hello; exec ${command}"]`]);
    shortTimeoutEngine ??= await bench.otherEngine({
      limits: { ...bench.deps.limits, listenTimeoutMs: 2_000 },
    });
    await expect(buildAndStart(shortTimeoutEngine, spec)).rejects.toMatchObject({
      reason,
      evidence: expect.arrayContaining([
        'No connection on port 3000 within 2 s',
        sentence,
        'hello',
      ]),
    });
    expect((await inspect(spec)).HostConfig.RestartPolicy.Name).toBe('no');
  });

  it('reports the output of an app that exits at once', async () => {
    const spec = await bench.spec(['CMD ["sh", "-c", "echo no configuration >&2; exit 3"]']);
    await expect(buildAndStart(engine, spec)).rejects.toMatchObject({
      reason: 'app-exited',
      evidence: ['Exit code 3', 'no configuration'],
    });
  });

  it('reports that an app exceeded its memory limit', async () => {
    const spec = await bench.spec([
      'CMD ["sh", "-c", "head -c 900000000 /dev/zero | busybox tail"]',
    ]);
    await engine.build(spec, () => {}, SIGNAL);
    const exit = await startAndWaitForExit(spec);
    expect(exit).toMatchObject({ isOutOfMemory: true });
  });

  it('reports that an image has no command', async () => {
    const nothing = await bench.spec([]);
    await engine.build(nothing, () => {}, SIGNAL);
    await expect(engine.startInstance(nothing, SIGNAL)).rejects.toMatchObject({
      reason: 'start-command-missing',
    });
    expect((await engine.observe(nothing.appId, SIGNAL)).instances).toEqual([]);
    const missing = await bench.spec(['CMD ["no-such-program"]']);
    await engine.build(missing, () => {}, SIGNAL);
    const exit = await startAndWaitForExit(missing);
    expect(exit).toMatchObject({ code: 127 });
  });

  it('observes the network alias of an instance', async () => {
    const spec = await bench.spec([SERVES], { name: 'shop' });
    await buildAndStart(engine, spec);
    await engine.startInstance({ ...spec, name: 'harbour' }, SIGNAL);
    const { instances } = await engine.observe(spec.appId, SIGNAL);
    const { projectId } = spec;
    expect(instances.map(({ release, networkAlias }) => [release, networkAlias])).toEqual([
      [spec.number, { projectId, name: 'shop' }],
      [spec.number, { projectId, name: 'harbour' }],
    ]);
  });

  it('removes a container that was never started, and its network', async () => {
    const spec = await bench.spec([SERVES]);
    await buildAndStart(engine, spec);
    const body = {
      Image: bench.images.shellImage,
      Cmd: ['sleep', '1000'],
      Labels: (await inspect(spec)).Config.Labels,
    };
    await bench.daemon.api.call('POST', '/containers/create', { body, signal: SIGNAL });
    expect((await engine.observe(spec.appId, SIGNAL)).instances).toHaveLength(1);
    await engine.removeApp(spec.appId, SIGNAL);
    expect(await engine.listApps(SIGNAL)).not.toContain(spec.appId);
    expect(await networks()).not.toContain(networkName(owner(), spec.projectId));
  });

  it('starts an app although the network of its project was removed in between', async () => {
    const projectId = randomUUID();
    const removed = await bench.spec([SERVES], { projectId });
    await buildAndStart(engine, removed);
    const started = await bench.spec([SERVES], { projectId });
    await engine.build(started, () => {}, SIGNAL);
    await Promise.all([
      engine.removeApp(removed.appId, SIGNAL),
      engine.startInstance(started, SIGNAL),
    ]);
    expect((await engine.observe(started.appId, SIGNAL)).instances).toHaveLength(1);
  });

  it('does not touch resources of other users and installations', async () => {
    await operator.tag(bench.images.shellImage, 'operators/own:1');
    await bench.daemon.api.call('POST', '/volumes/create', {
      body: { Name: 'operators-volume' },
      signal: SIGNAL,
    });
    const operatorContainer = await operator.run('operators-container', {
      Image: 'operators/own:1',
      Cmd: ['sleep', '1000'],
      HostConfig: { Binds: ['operators-volume:/data'] },
    });
    const other = await bench.otherEngine();
    const otherApp = await bench.spec([SERVES]);
    await buildAndStart(other, otherApp);
    const spec = await bench.spec([SERVES]);
    await buildAndStart(engine, spec);
    await engine.build({ ...spec, number: 2 }, () => {}, SIGNAL);
    await engine.pruneReleases(spec.appId, [1], SIGNAL);
    expect(await engine.listApps(SIGNAL)).not.toContain(otherApp.appId);
    await engine.removeApp(otherApp.appId, SIGNAL);
    await engine.removeApp(spec.appId, SIGNAL);
    const remaining = await operator.containers();
    expect(remaining.find(({ Id }) => Id === operatorContainer)?.State).toBe('running');
    expect((await other.observe(otherApp.appId, SIGNAL)).instances).toMatchObject([
      { state: { kind: 'running' } },
    ]);
    expect(await operator.image('operators/own:1')).toBeDefined();
    expect(await operator.image(imageTag(owner(), spec.appId, 1))).toBeUndefined();
    const { Volumes } = await operator.inspect<{ Volumes: { Name: string }[] }>('/volumes');
    const caches = remaining
      .filter(({ Names }) => Names[0]?.includes('-builder-'))
      .flatMap(({ Mounts }) => Mounts.map(({ Name }) => Name));
    const others = Volumes.map(({ Name }) => Name).filter((name) => !caches.includes(name));
    expect(others).toEqual(['operators-volume']);
    expect(remaining.filter(({ Names }) => Names[0]?.includes(spec.appId))).toEqual([]);
  });

  it('does not list a release as built when only another container keeps its image', async () => {
    const spec = await bench.spec([SERVES]);
    await engine.build(spec, () => {}, SIGNAL);
    await engine.build({ ...spec, number: 2 }, () => {}, SIGNAL);
    const image = imageTag(owner(), spec.appId, 1);
    await operator.run('borrower', { Image: image, Cmd: ['sleep', '1000'] });
    await engine.pruneReleases(spec.appId, [2], SIGNAL);
    expect((await engine.observe(spec.appId, SIGNAL)).built).toEqual([2]);
  });

  /** Starts an app that exits by itself; returns how it exited. */
  async function startAndWaitForExit(spec: ReleaseSpec): Promise<Exit | undefined> {
    const ended = new Promise<void>((resolve) => {
      engine.watch((appId) => appId === spec.appId && resolve());
    });
    await engine.startInstance(spec, SIGNAL);
    await ended;
    const [instance] = (await engine.observe(spec.appId, SIGNAL)).instances;
    return instance?.state.kind === 'exited' ? instance.state.exit : undefined;
  }

  function owner() {
    return { installation: bench.deps.installation };
  }

  async function inspect({ appId }: ReleaseSpec) {
    const found = (await operator.containers()).find(({ Names }) => Names[0]?.includes(appId));
    return await operator.inspect<{
      Mounts: unknown[];
      HostConfig: { RestartPolicy: { Name: string } };
      Config: { Env: string[]; Labels: Record<string, string> };
      NetworkSettings: { Networks: Record<string, { IPAddress: string }> };
    }>(`/containers/${found?.Id}/json`);
  }

  async function networks(): Promise<string[]> {
    return (await operator.inspect<{ Name: string }[]>('/networks')).map(({ Name }) => Name);
  }
});

async function textOf({ address }: Instance, path = '/'): Promise<string> {
  return await (await fetch(`http://${address.host}:${address.port}${path}`)).text();
}
