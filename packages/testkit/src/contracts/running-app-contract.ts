import type { Engine, Instance, ReleaseSpec } from '@longshore/server/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

export type RunningAppHarness = {
  engine: Engine;
  /** The first release of a new app with these files. */
  spec(files: Record<string, string>, changes?: Partial<ReleaseSpec>): Promise<ReleaseSpec>;
  /** The same, with the files as an uploaded archive. */
  uploaded(files: Record<string, string>): Promise<ReleaseSpec>;
  /** Whether it can build here. Otherwise the tests of builds are skipped. */
  canBuild?: boolean;
  /** Removes everything that the suite created. */
  clear(): Promise<void>;
};

/** What an engine does not offer, or cannot see. It has no tests of this. */
export type Absent = 'network usage' | 'loopback' | 'accepted connections';

const RESPONSE_BYTES = 3_000_000;
const PORTS = [{ number: 3000, expose: true }];
const WRITES_PAGE = `const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync('out');
writeFileSync('out/index.html', process.argv[2]);
`;
const COLOUR_AND_PORT = '[process.env.COLOUR, process.env.PORT].join(" ")';
const VARIABLES = '[process.env.PORT, process.env.HOST].join(" ")';
/** As programs that listen before they load the app, which fails. */
const LISTENS_AND_FAILS = `require('node:net').createServer().listen(process.env.PORT, '0.0.0.0', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
  process.exit(7);
});`;
/** The text at the URL in the path of the request. */
const CLIENT = `fetch('http:/' + request.url, { signal: AbortSignal.timeout(10_000) })
  .then((found) => found.text(), () => 'nothing')`;

/** The addresses of the name in the path of the request. */
const RESOLVER = `require('node:dns').promises.lookup(request.url.slice(1), { all: true, family: 4 })
  .then((found) => JSON.stringify(found.map(({ address }) => address)), () => '[]')`;

/**
 * What an app sees of its engine: variables and private names. Every engine that runs programs passes this suite:
 * `describeRunningApps('docker', async () => ({ engine, spec, uploaded, clear }))`.
 */
export function describeRunningApps(
  name: string,
  createHarness: () => Promise<RunningAppHarness>,
  { isWithout = [] }: { isWithout?: Absent[] } = {},
): void {
  describe(`an app on the ${name} engine`, () => {
    let harness: RunningAppHarness;
    let engine: Engine;
    const { signal } = new AbortController();

    beforeAll(async () => {
      harness = await createHarness();
      engine = harness.engine;
    });
    afterAll(() => harness.clear());

    it.each<[string, Partial<ReleaseSpec>, string]>([
      ['PORT and HOST', { ports: [{ number: 80, expose: true }] }, '80 0.0.0.0'],
      [
        'the main one of its ports',
        {
          ports: [
            { number: 3000, expose: false },
            { number: 8080, expose: true },
          ],
        },
        '8080 0.0.0.0',
      ],
      ["the configured port instead of the user's PORT", { env: { PORT: '4000' } }, '3000 0.0.0.0'],
      ["the user's HOST", { env: { HOST: 'example.com' } }, '3000 example.com'],
    ])('gets %s', async (_, changes, expected) => {
      const instance = await start(await specOf(nodeApp(VARIABLES), changes));
      expect(await textOf(instance)).toBe(expected);
    });

    if (!isWithout.includes('accepted connections')) {
      it('is not listening before it has accepted a connection', async () => {
        const spec = await specOf({ ...nodeApp('"never"'), 'server.js': LISTENS_AND_FAILS });
        await engine.build(spec, () => {}, signal);
        const instance = await engine.startInstance(spec, signal);
        await expect(engine.waitUntilListening(instance, spec, signal)).rejects.toMatchObject({
          reason: 'app-exited',
        });
      });
    }

    it.each([
      ['plain words', 'COLOUR=red node other.js', 'red 3000'],
      ['a shell', 'COLOUR=$(echo blue) && export COLOUR; exec node other.js', 'blue 3000'],
    ])('is started by a typed command of %s', async (_, command, expected) => {
      const files = { ...nodeApp('"as detected"'), 'other.js': serverOf(COLOUR_AND_PORT) };
      const first = await specOf(files);
      const detected = await start(first);
      expect(await textOf(detected)).toBe('as detected');
      const second = { ...first, number: 2, run: { command } };
      await engine.reuseBuild(second, 1, signal);
      const typed = await engine.startInstance(second, signal);
      await engine.waitUntilListening(typed, second, signal);
      expect(await textOf(typed)).toBe(expected);
    });

    it('restarts without building with another variable, and without its typed command', async () => {
      const files = { ...nodeApp('process.env.COLOUR'), 'other.js': serverOf('"typed"') };
      const env = { COLOUR: 'red' };
      const first = await specOf(files, { env, run: { command: 'node other.js' } });
      expect(await textOf(await start(first))).toBe('typed');
      const { run: _, ...untyped } = first;
      const second = { ...untyped, number: 2, env: { COLOUR: 'blue' } };
      await engine.reuseBuild(second, 1, signal);
      const built = await engine.build(second, () => {}, signal);
      expect(built).toEqual(await engine.build(first, () => {}, signal));
      expect(built.inputs).toEqual({ arguments: [], startCommand: false });
      const detected = await engine.startInstance(second, signal);
      await engine.waitUntilListening(detected, second, signal);
      expect(await textOf(detected)).toBe('blue');
    });

    it.for<[string, Partial<ReleaseSpec>, string]>([
      [
        'by a typed command in its root directory',
        { build: { rootDirectory: 'apps/web', buildCommand: 'node build.js red && echo done' } },
        'red',
      ],
      [
        'and served as a static site',
        {
          build: {
            rootDirectory: 'apps/web',
            buildCommand: 'node build.js blue',
            outputDirectory: 'out',
          },
        },
        'blue',
      ],
    ])('is built %s', async ([_, changes, expected], { skip }) => {
      if (harness.canBuild === false) skip();
      const built = nodeApp('require("node:fs").readFileSync("out/index.html", "utf8")');
      const files = Object.entries({ ...built, 'build.js': WRITES_PAGE });
      const inRoot = Object.fromEntries(files.map(([name, text]) => [`apps/web/${name}`, text]));
      const instance = await start(await specOf({ ...inRoot, 'README.md': 'A root' }, changes));
      expect(await textOf(instance)).toBe(expected);
    });

    it('is built from an upload', async ({ skip }) => {
      if (harness.canBuild === false) skip();
      const spec = await harness.uploaded(nodeApp('"uploaded"'));
      const digest = spec.origin.kind === 'git' ? spec.origin.ref : '';
      expect(await engine.build(spec, () => {}, signal)).toMatchObject({ revision: digest });
      expect(await textOf(await start(spec))).toBe('uploaded');
    });

    if (!isWithout.includes('loopback')) {
      it('that listens only on 127.0.0.1 is reachable, or fails with that reason', async () => {
        const spec = await specOf(nodeApp('"hello"', '127.0.0.1'));
        const outcome = await start(spec).then(
          (instance) => textOf(instance),
          (error) => error.reason,
        );
        expect(['hello', 'listens-on-loopback']).toContain(outcome);
      });
    }

    it('is reached on the port that it listens on when none was chosen', async () => {
      const ports = [{ number: 80, expose: true }];
      const spec = await specOf(nodeApp('"hello"', '0.0.0.0', 4567), { ports });
      expect(await textOf(await start(spec))).toBe('hello');
    });

    it('is reached by its private names from its project, and not from another one', async () => {
      const shop = await specOf(nodeApp('"the shop"'), { name: 'shop' });
      await start(shop);
      const inside = await startClient(shop.projectId);
      const outside = await startClient();
      expect(await callAll(inside, 'shop')).toEqual(['the shop', 'the shop']);
      expect(await callAll(outside, 'shop')).toEqual(['nothing', 'nothing']);
    });

    it('is reached by its private names at every instance, and at none that was stopped', async () => {
      const shop = await specOf(nodeApp('"the shop"'), {
        name: 'shop',
      });
      const instances = [await start(shop), await start(shop), await start(shop)];
      const client = await specOf(nodeApp(RESOLVER), {
        name: 'client',
        projectId: shop.projectId,
      });
      const resolver = await start(client);
      const addressesOf = async (name: string) =>
        JSON.parse(await textOf(resolver, `/${name}`)) as string[];
      for (const name of ['shop', 'shop.internal']) {
        expect(new Set(await addressesOf(name)).size, name).toBe(3);
      }
      const [stopped, ...others] = instances as [Instance, ...Instance[]];
      await engine.stopInstance(shop.appId, stopped, signal);
      expect(await addressesOf('shop')).toHaveLength(2);
      for (const other of others) await engine.stopInstance(shop.appId, other, signal);
      expect(await addressesOf('shop')).toEqual([]);
    });

    it('runs another process with its own command, which no other app finds', async () => {
      const files = { ...nodeApp('"web"'), 'worker.js': serverOf('"worker"', '0.0.0.0', 3000) };
      const shop = await specOf(files, { name: 'shop' });
      await start(shop);
      const run = { command: 'node worker.js' };
      const process = { ...shop, process: 'worker', ports: [], run };
      const worker = await engine.startInstance(process, signal);
      await engine.waitUntilListening(worker, process, signal);
      const client = await startClient(shop.projectId);
      const answers = await Promise.all(Array.from({ length: 4 }, () => callAll(client, 'shop')));
      expect(new Set(answers.flat())).toEqual(new Set(['web']));
      await engine.removeApp(shop.appId, signal);
    });

    it('keeps its private names in a new release', async () => {
      const first = await specOf(nodeApp('process.env.COLOUR'), {
        name: 'shop',
        env: { COLOUR: 'red' },
      });
      const red = await start(first);
      const client = await startClient(first.projectId);
      expect(await callAll(client, 'shop')).toEqual(['red', 'red']);
      await start({ ...first, number: 2, env: { COLOUR: 'blue' } });
      await engine.stopInstance(first.appId, red, signal);
      expect(await callAll(client, 'shop')).toEqual(['blue', 'blue']);
      await engine.removeApp(first.appId, signal);
      expect(await callAll(client, 'shop')).toEqual(['nothing', 'nothing']);
    });

    it('is reached by its new name after it was renamed, and from its new project after it was moved', async () => {
      const shop = await specOf(nodeApp('"the shop"'), { name: 'shop' });
      const before = await start(shop);
      const here = await startClient(shop.projectId);
      const there = await startClient();
      const renamed = await restart({ ...shop, name: 'store' }, before);
      expect(await callAll(here, 'shop')).toEqual(['nothing', 'nothing']);
      expect(await callAll(here, 'store')).toEqual(['the shop', 'the shop']);
      await restart({ ...shop, name: 'store', projectId: there.projectId }, renamed);
      expect(await callAll(here, 'store')).toEqual(['nothing', 'nothing']);
      expect(await callAll(there, 'store')).toEqual(['the shop', 'the shop']);
    });

    if (!isWithout.includes('network usage')) {
      it('is measured by what it receives and sends', async ({ skip }) => {
        if (!engine.hasProjectNetwork) skip();
        const spec = await specOf(nodeApp(`'x'.repeat(${RESPONSE_BYTES})`));
        const instance = await start(spec);
        const usage = async () =>
          (await engine.usage(signal)).find(({ appId }) => appId === spec.appId);
        const before = await usage();
        expect(before?.instanceId).toBe(instance.id);
        expect((await textOf(instance)).length).toBe(RESPONSE_BYTES);
        const { networkReceivedBytes = 0, networkSentBytes = 0 } = (await usage()) ?? {};
        const sent = networkSentBytes - (before?.networkSentBytes ?? 0);
        const received = networkReceivedBytes - (before?.networkReceivedBytes ?? 0);
        expect(sent).toBeGreaterThanOrEqual(RESPONSE_BYTES);
        expect(received).toBeGreaterThan(0);
        expect(received).toBeLessThan(sent);
      });
    }

    async function specOf(
      files: Record<string, string>,
      changes?: Partial<ReleaseSpec>,
    ): Promise<ReleaseSpec> {
      return await harness.spec(files, { ports: PORTS, ...changes });
    }

    async function start(spec: ReleaseSpec): Promise<Instance> {
      await engine.build(spec, () => {}, signal);
      const started = await engine.startInstance(spec, signal);
      return (await engine.waitUntilListening(started, spec, signal)).instance;
    }

    async function restart(spec: ReleaseSpec, running: Instance): Promise<Instance> {
      const instance = await start(spec);
      await engine.stopInstance(spec.appId, running, signal);
      return instance;
    }

    /** An app of this project, or of a new one, that calls other apps. */
    async function startClient(projectId?: string): Promise<Client> {
      const spec = await specOf(nodeApp(CLIENT), {
        name: 'client',
        ...(projectId === undefined ? {} : { projectId }),
      });
      return { projectId: spec.projectId, instance: await start(spec) };
    }
  });
}

type Client = { projectId: string; instance: Instance };

/** The responses to the client at both private names of an app. */
async function callAll({ instance }: Client, name: string): Promise<string[]> {
  const hosts = [name, `${name}.internal`];
  return await Promise.all(hosts.map((host) => textOf(instance, `/${host}:${PORTS[0]?.number}/`)));
}

async function textOf({ address }: Instance, path = '/'): Promise<string> {
  return await (await fetch(`http://${address.host}:${address.port}${path}`)).text();
}

/** A Node app that responds to every request with the value of the expression. */
function nodeApp(expression: string, host?: string, port?: number): Record<string, string> {
  return {
    'package.json': JSON.stringify({ name: 'fixture', scripts: { start: 'node server.js' } }),
    'server.js': serverOf(expression, host, port),
  };
}

function serverOf(expression: string, host = '0.0.0.0', port?: number): string {
  return `require('node:http').createServer(async (request, response) => {
  response.end(await (${expression}));
}).listen(${port ?? 'process.env.PORT'}, '${host}');
`;
}
