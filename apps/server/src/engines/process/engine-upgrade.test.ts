import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DeployHarness, fromGit, startDeployHarness } from '../../../test/deploy-harness.ts';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import { listTraces } from '../../../test/engines/process/engine-traces.ts';
import { startKilledServer } from '../../../test/engines/process/start-killed-server.ts';
import { createMemoryStore, type MemoryStore } from '../../../test/reconciler/memory-store.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';
import type { ProcessEngineDeps } from './deps.ts';
import type { ProcessEngine } from './engine.ts';
import { appLayout } from './layout.ts';

const { signal } = new AbortController();
const NOT_ISOLATED: Partial<ProcessEngineDeps> = {
  async detectIsolation({ diskProblem }) {
    await diskProblem;
    return { kind: 'not-isolated', missing: ['Tools are missing.'], packages: [] };
  },
};
const POLL = { timeout: 30_000 };

/**
 * Requests run code in the app. An isolated instance runs the code in `isolated.js` of its home first, if there is one. The
 * build stores the absolute path of the release.
 */
const APP = {
  'package.json': JSON.stringify({ scripts: { build: 'node build.js', start: 'node server.js' } }),
  'build.js': `require('node:fs').writeFileSync('folder', __dirname);`,
  'server.js': `
    const fs = require('node:fs');
    const { HOME, HOST, PORT } = process.env;
    const release = fs.readFileSync('folder', 'utf8');
    const listen = () => require('node:http').createServer(async (request, response) => {
      const code = decodeURIComponent(request.url.slice(1));
      response.end(JSON.stringify(await eval(code)));
    }).listen(PORT);
    const hook = HOME + '/isolated.js';
    if (HOST === '0.0.0.0' && fs.existsSync(hook)) eval(fs.readFileSync(hook, 'utf8'));
    else listen();
    console.log('started');`,
};

/** Only root can isolate apps. */
describe.runIf(process.getuid?.() === 0)('instances of a version without sandboxes', () => {
  let bench: EngineBench;

  beforeAll(async () => {
    bench = await createEngineBench();
  });
  afterAll(() => bench.clear());

  describe('of the engine', () => {
    it('are adopted on their port, and reported as outdated until they are replaced', async () => {
      const [spec, old] = await startOld();
      const { uid } = await stat(join(folders(spec.appId).home));
      await ask(
        old,
        'fs.writeFileSync(HOME + "/file", "home"); fs.writeFileSync("file", "release")',
      );
      const engine = await bench.engine();
      const [adopted] = (await engine.observe(spec.appId, signal)).instances;
      expect(adopted).toEqual({ ...old, isOutdated: true });

      const replacement = await engine.startInstance(spec, signal);
      await engine.waitUntilListening(replacement, spec, signal);
      expect(existsSync(folders(spec.appId).home)).toBe(true);
      expect(await ask(old, 'fs.readFileSync(release + "/file", "utf8")')).toBe('release');
      await engine.stopInstance(spec.appId, old, signal);

      expect((await engine.observe(spec.appId, signal)).instances).toEqual([replacement]);
      expect(replacement).toMatchObject({ id: '2', logName: old.logName.replace(/1$/, '2') });
      expect(await readdir(folders(spec.appId).app)).toEqual(['disk.img']);
      expect(existsSync(folders(spec.appId).plainFiles)).toBe(false);
      const seen = `[process.getuid(), HOME, release, ...[HOME, release].map((it) =>
        fs.readFileSync(it + '/file', 'utf8') + fs.statSync(it + '/file').uid)]`;
      const release = folders(spec.appId).release(1);
      const files = [`home${uid}`, `release${uid}`];
      expect(await ask(replacement, seen)).toEqual([uid, '/home/app', release, ...files]);
      await engine.close();
    });

    it('are replaced two at a time', async () => {
      const old = [await startOld(), await startOld(), await startOld()] as const;
      const [first, second, third] = old.map(([spec]) => spec) as [
        ReleaseSpec,
        ReleaseSpec,
        ReleaseSpec,
      ];
      const engine = await bench.engine();
      const replacement = await engine.startInstance(first, signal);
      await engine.startInstance(second, signal);
      const waiting = engine.startInstance(third, signal);
      // Meanwhile others are started.
      const other = bench.spec(await bench.repository(nodeApp()));
      await engine.build(other, () => {}, signal);
      await engine.startInstance(other, signal);
      const freedAt = Date.now();
      await engine.waitUntilListening(replacement, first, signal);
      expect((await waiting).startedAt.getTime()).toBeGreaterThanOrEqual(freedAt);
      await engine.close();
    });

    it('are replaced together if they belong to the same app, without blocking another one', async () => {
      const [[first], [second]] = [await startOld(), await startOld()];
      const engine = await bench.engine();
      for (const spec of [first, first, first, second, second]) {
        await engine.startInstance(spec, signal);
      }
      const countOf = async ({ appId }: ReleaseSpec) =>
        (await engine.observe(appId, signal)).instances.length;
      expect([await countOf(first), await countOf(second)]).toEqual([1 + 3, 1 + 2]);
      await engine.close();
    });

    it('keep their files when the server is killed while it copies them', async () => {
      const [spec, old] = await startOld();
      const { app, disk, home } = folders(spec.appId);
      await writeFile(join(home, 'large'), Buffer.alloc(200 * 1024 ** 2, 1));
      const server = await startKilledServer({ dataDir: bench.dataDir, spec, slow: spec });
      await expect.poll(() => existsSync(`${disk}.draft`), { ...POLL, interval: 1 }).toBe(true);
      process.kill(server.pid, 'SIGKILL');
      await server.ended;
      expect(existsSync(disk)).toBe(false);
      expect(await ask(old, '1')).toBe(1);

      const engine = await bench.engine();
      const replacement = await engine.startInstance(spec, signal);
      await engine.waitUntilListening(replacement, spec, signal);
      expect(await ask(replacement, 'fs.statSync(HOME + "/large").size')).toBe(200 * 1024 ** 2);
      await engine.stopInstance(spec.appId, old, signal);
      expect(await readdir(app)).toEqual(['disk.img']);
      await engine.close();
    });

    it('are not needed to wake an app, whose folders are removed when it answers', async () => {
      const [spec, old] = await startOld();
      const last = await bench.engine(NOT_ISOLATED);
      await last.stopInstance(spec.appId, old, signal);
      await last.close();
      const engine = await bench.engine();
      expect((await engine.observe(spec.appId, signal)).built).toEqual([1]);
      const woken = await engine.startInstance(spec, signal);
      await engine.waitUntilListening(woken, spec, signal);
      expect(await readdir(folders(spec.appId).app)).toEqual(['disk.img']);
      await engine.close();
    });

    it('leave files that the user of the app can change, also if the server was not root', async () => {
      const [spec, old] = await startOld({ isRoot: false });
      await ask(
        old,
        '[HOME, release].map((it) => fs.writeFileSync(it + "/file", "", { mode: 0o600 }))',
      );
      const engine = await bench.engine();
      const replacement = await engine.startInstance(spec, signal);
      await engine.waitUntilListening(replacement, spec, signal);
      const change = '[HOME, release].map((it) => fs.appendFileSync(it + "/file", "more")).length';
      expect(await ask(replacement, change)).toBe(2);
      await engine.close();
    });

    async function startOld(
      changes: Partial<ProcessEngineDeps> = NOT_ISOLATED,
    ): Promise<[ReleaseSpec, Instance]> {
      const spec = bench.spec(await bench.repository(APP));
      const engine = await bench.engine(changes);
      await engine.build(spec, () => {}, signal);
      const instance = await engine.startInstance(spec, signal);
      await engine.waitUntilListening(instance, spec, signal);
      await engine.close();
      return [spec, instance];
    }
  });

  describe('of the reconciler', () => {
    let engine: ProcessEngine;
    let harness: DeployHarness;
    let store: MemoryStore;
    let appId: string;
    let old: Instance;

    afterEach(async () => {
      store.deleteApp(appId);
      await expect.poll(() => listTraces(bench.dataDir, [appId]), POLL).toEqual([]);
      await harness.stop();
      await engine.close();
    });

    it('serve while the replacement fails, and their files are copied again for the next one', async () => {
      await deployOld('process.exit(3)');
      await upgrade();
      expect(await harness.waitForFailure(appId, 'app-exited')).toContain('Exit code 3.');
      expect(store.observedOf(appId)).toMatchObject({ serving: { release: 1 } });
      expect(store.observedOf(appId).retry).toBeDefined();
      expect(await ask(old, '1')).toBe(1);

      await ask(
        old,
        'fs.rmSync(hook); fs.writeFileSync(HOME + "/new", ""); fs.writeFileSync("new", "")',
      );
      store.requestRetry(appId);
      const replacement = await replaced();
      const files = `[HOME, release].map((it) => fs.existsSync(it + '/new'))`;
      expect(await ask(replacement, files)).toEqual([true, true]);
      await harness.waitUntilSynced(appId);
      expect(store.releasesOf(appId)).toHaveLength(1);
    });

    it('may crash while the replacement starts', async () => {
      await deployOld('setTimeout(listen, 1_500)');
      await upgrade();
      await bothRun();
      await ask(old, 'process.exit(1)').catch(() => {});
      await replaced();
      await harness.waitUntilSynced(appId);
    });

    it.each<[what: string, act: () => Promise<void>]>([
      [
        'hibernated and woken',
        async () => {
          store.editApp(appId, { instances: 0 });
          await expect.poll(running, POLL).toEqual([]);
          store.editApp(appId, { instances: 1 });
        },
      ],
      ['redeployed', async () => store.editApp(appId, { env: { COLOUR: 'blue' } })],
      ['moved to another server', restart],
    ])('may be %s while the replacement starts', async (_, act) => {
      await deployOld('setTimeout(listen, 1_500)');
      await ask(old, 'fs.writeFileSync(HOME + "/file", "kept")');
      await upgrade();
      await bothRun();
      await act();
      const replacement = await replaced();
      expect(await ask(replacement, 'fs.readFileSync(HOME + "/file", "utf8")')).toBe('kept');
      await harness.waitUntilSynced(appId);
    });

    it('may be deleted while the replacement starts', async () => {
      await deployOld('setTimeout(listen, 1_500)');
      await upgrade();
      await bothRun();
    });

    it('run again where isolation becomes impossible, and both homes stay', async () => {
      await open({});
      appId = harness.deploy(fromGit(await bench.repository(APP)));
      await harness.waitUntilSynced(appId);
      const [isolated] = (await running()) as [Instance];
      await ask(isolated, 'fs.writeFileSync(HOME + "/file", "isolated")');

      await restart(NOT_ISOLATED);
      await expect.poll(() => store.observedOf(appId).serving).toMatchObject({ release: 1 });
      expect(await ask(isolated, '1')).toBe(1);
      await ask(isolated, 'process.exit(1)').catch(() => {});
      await expect.poll(async () => (await running())[0]?.address.host, POLL).toBe('127.0.0.1');
      await harness.waitUntilSynced(appId);
      [old] = (await running()) as [Instance];
      await ask(old, 'fs.writeFileSync(HOME + "/file", "plain")');

      await restart();
      const replacement = await replaced({ keepsHome: true });
      expect(await ask(replacement, 'fs.readFileSync(HOME + "/file", "utf8")')).toBe('isolated');
      expect(await ask(replacement, 'fs.existsSync(release + "/server.js")')).toBe(true);
      const { home } = folders(appId);
      expect(await readFile(join(home, 'file'), 'utf8')).toBe('plain');
      await harness.waitUntilSynced(appId);
    });

    /** Deploys an app without isolation. `hook`: what its isolated instances do instead of listening. */
    async function deployOld(hook: string): Promise<void> {
      await open(NOT_ISOLATED);
      appId = harness.deploy(fromGit(await bench.repository(APP)));
      await harness.waitUntilSynced(appId);
      [old] = (await running()) as [Instance];
      await ask(old, `fs.writeFileSync(hook, ${JSON.stringify(hook)})`);
    }

    async function open(changes: Partial<ProcessEngineDeps>): Promise<void> {
      store = createMemoryStore({ clock: Date, newId: () => crypto.randomUUID() });
      await connect(changes);
    }

    async function upgrade(): Promise<void> {
      await restart();
    }

    /** The next server, on the same store and data directory. */
    async function restart(changes: Partial<ProcessEngineDeps> = {}): Promise<void> {
      await harness.stop();
      await engine.close();
      await connect(changes);
    }

    async function connect(changes: Partial<ProcessEngineDeps>): Promise<void> {
      engine = await bench.engine(changes);
      harness = await startDeployHarness(engine, () => [], { store });
    }

    async function running(): Promise<Instance[]> {
      const { instances } = await engine.observe(appId, signal);
      return instances.filter(({ state }) => state.kind === 'running');
    }

    async function bothRun(): Promise<void> {
      await expect.poll(async () => (await running()).length, POLL).toBe(2);
    }

    /** Waits until an isolated instance serves and nothing of the old one is left. */
    async function replaced({ keepsHome = false } = {}): Promise<Instance> {
      const names = keepsHome ? ['disk.img', 'home'] : ['disk.img'];
      await expect.poll(() => readdir(folders(appId).app), POLL).toEqual(names);
      await expect.poll(async () => (await running()).length, POLL).toBe(1);
      const [instance] = (await running()) as [Instance];
      const machine = await readlink('/proc/self/ns/net');
      expect(await ask(instance, 'fs.readlinkSync("/proc/self/ns/net")')).not.toBe(machine);
      return instance;
    }
  });

  function folders(appId: string) {
    return appLayout(bench.dataDir, appId);
  }
});

/** The value of an expression in the app. */
async function ask({ address }: Instance, code: string): Promise<unknown> {
  const url = `http://${address.host}:${address.port}/${encodeURIComponent(code)}`;
  const body = await (await fetch(url)).text();
  return body === '' ? undefined : JSON.parse(body);
}
