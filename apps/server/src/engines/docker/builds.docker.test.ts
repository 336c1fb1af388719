import { rm } from 'node:fs/promises';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startHostileGitHost } from '../../../test/build/hostile-git-host.ts';
import { SHELL_IMAGE } from '../../../test/engines/docker/base-image.ts';
import {
  BUILD_MS,
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SERVES,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { findProcessesByArgv } from '../../../test/engines/docker/find-processes.ts';
import { createOperator, type Operator } from '../../../test/engines/docker/operator.ts';
import { nodeApp } from '../../../test/engines/process/engine-bench.ts';
import { openControlGroups } from '../../sandbox/open-sandbox.ts';
import type { DockerEngine } from './engine.ts';
import { appFolder } from './folders.ts';

describe.skipIf(!canRunDocker)('builds', () => {
  let bench: DockerBench;
  let engine: DockerEngine;
  let operator: Operator;

  beforeAll(async () => {
    bench = await createDockerBench();
    engine = await bench.engine();
    operator = createOperator(bench.daemon.api);
  });
  beforeEach(() => {
    bench.lines.length = 0;
  });
  afterAll(() => bench.clear());

  it('builds a Dockerfile, and logs each step and its output', async () => {
    const spec = await bench.spec(['RUN echo made here', SERVES]);
    const { revision } = await engine.build(spec, () => {}, SIGNAL);
    expect(revision).toMatch(/^[0-9a-f]{40}$/);
    expect(loggedLines()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Release 1: fetching file:/),
        `Checked out ${revision}`,
        'Found a Dockerfile',
        '[2/2] RUN echo made here',
        'made here',
        'Build finished',
      ]),
    );
  });

  it('runs git in the sandbox, in a control group that is removed afterwards', async () => {
    const groups = () => openControlGroups(bench.deps.dataDir)?.list();
    let groupsOfFetch: string[] | undefined;
    const host = await startHostileGitHost((_, response) => {
      groupsOfFetch = groups();
      response.writeHead(404).end();
    });
    onTestFinished(() => host.stop());
    const spec = bench.repositories.spec(host.url);
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'repository-not-found',
    });
    expect(groupsOfFetch).toContain(`git-${spec.appId}`);
    expect(groups()).toEqual([]);
    expect(bench.errors).toEqual([]);
  });

  it('builds a Dockerfile with a cache mount', async () => {
    const spec = await bench.spec([
      'RUN --mount=type=cache,target=/cache echo with a cache',
      SERVES,
    ]);
    await buildAndStart(engine, spec);
    expect(loggedLines().join('\n')).toMatch(/RUN --mount=type=cache/);
    expect(loggedLines()).toContain('with a cache');
  });

  it.each([
    ['Containerfile', {}],
    ['docker/Dockerfile', {}],
    ['deploy/web.Dockerfile', { build: { dockerfile: 'deploy/web.Dockerfile' } }],
  ])(
    'builds %s with the root as its context, without the files that it ignores',
    async (path, changes) => {
      const page = 'CMD ["sh", "-c", "exec httpd -f -p $PORT -h /site"]';
      const files = {
        [path]: [`FROM ${SHELL_IMAGE}`, 'COPY . /site', page, ''].join('\n'),
        [`${path}.dockerignore`]: 'private.txt\n',
        'index.html': 'a page',
        'private.txt': 'private',
      };
      const spec = bench.repositories.spec(await bench.repositories.repository(files), changes);
      const { address } = await buildAndStart(engine, spec);
      const get = (name: string) => fetch(`http://${address.host}:${address.port}/${name}`);
      expect(await (await get('index.html')).text()).toBe('a page');
      expect((await get('private.txt')).status).toBe(404);
    },
  );

  it('runs a Node app without a Dockerfile', async () => {
    const app = nodeApp(
      '[process.env.npm_package_name, process.env.NODE_ENV, process.env.PORT, process.getuid()]',
    );
    const spec = bench.repositories.spec(await bench.repositories.repository(app));
    const { address } = await buildAndStart(engine, spec);
    const response = await fetch(`http://${address.host}:${address.port}/`);
    expect(await response.json()).toEqual(['fixture', 'production', '3000', 1000]);
    expect(loggedLines()).toContain('Found package.json with a start script');
  });

  it('serves a static site without its hidden files', async () => {
    const site = { 'index.html': 'a site', '.env': 'secret', '.dockerignore': '*' };
    const spec = bench.repositories.spec(await bench.repositories.repository(site));
    const { address } = await buildAndStart(engine, spec);
    const get = (path: string) => fetch(`http://${address.host}:${address.port}${path}`);
    expect(await (await get('/')).text()).toBe('a site');
    expect((await get('/.env')).status).toBe(404);
    expect((await get('/.longshore/Dockerfile')).status).toBe(404);
  });

  it.each([
    ['a step', 'RUN echo it broke && exit 3'],
    ['a step with a mount', 'RUN --mount=type=cache,target=/cache echo it broke && exit 3'],
  ])('reports the output of a build that fails in %s, and leaves no image', async (_, step) => {
    const before = await operator.images();
    const spec = await bench.spec(['RUN echo "a layer" > /layer', step]);
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'build-failed',
      evidence: expect.arrayContaining(['Exit code 3', 'it broke']),
    });
    expect(await operator.images()).toEqual(before);
  });

  it('removes all images of a build with its app, including intermediate stages', async () => {
    const before = await operator.images();
    const Dockerfile = [
      `FROM ${SHELL_IMAGE} AS maker`,
      'RUN echo page > /page',
      `FROM ${SHELL_IMAGE}`,
      'COPY --from=maker /page /page',
      SERVES,
    ].join('\n');
    const spec = bench.repositories.spec(await bench.repositories.repository({ Dockerfile }));
    await buildAndStart(engine, spec);
    await engine.removeApp(spec.appId, SIGNAL);
    expect(await operator.images()).toEqual(before);
  });

  it('limits the memory of a build', async () => {
    const small = await bench.otherEngine({ limits: { buildMemoryBytes: 32 * 1024 ** 2 } });
    const spec = await bench.spec(['RUN head -c 200000000 /dev/zero | busybox tail']);
    await expect(small.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'build-out-of-memory',
    });
  });

  it('stops a build that takes too long, with its containers', async () => {
    const shortTimeoutEngine = await bench.otherEngine({ limits: { buildMs: 10_000 } });
    const spec = await bench.spec(['RUN echo begun && sleep 4242']);
    await expect(shortTimeoutEngine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'build-timed-out',
      evidence: expect.arrayContaining(['begun']),
    });
    await waitUntilNoBuildRuns();
  });

  it.each([
    ['a step', 'RUN echo begun && sleep 4242'],
    ['a step with a mount', 'RUN --mount=type=cache,target=/cache echo begun && sleep 4242'],
  ])('stops a build in %s on abort', async (_, step) => {
    const spec = await bench.spec([step]);
    const stop = new AbortController();
    const building = engine.build(spec, () => {}, stop.signal);
    await Promise.race([building, waitUntilBuildRuns()]);
    stop.abort();
    await expect(building).rejects.toThrow();
    await waitUntilNoBuildRuns();
    expect((await engine.observe(spec.appId, SIGNAL)).built).toEqual([]);
    expect(loggedLines()).toContain('Build stopped');
  });

  it('builds again when the server stopped before the build was recorded', async () => {
    const spec = await bench.spec([SERVES]);
    await engine.build(spec, () => {}, SIGNAL);
    await rm(appFolder(spec.appId, bench.deps), { recursive: true });
    expect((await engine.observe(spec.appId, SIGNAL)).built).toEqual([]);
    expect(await engine.listApps(SIGNAL)).toContain(spec.appId);
    await engine.build(spec, () => {}, SIGNAL);
    expect((await engine.observe(spec.appId, SIGNAL)).built).toEqual([1]);
  });

  function loggedLines(): string[] {
    return bench.lines.map((line) => line.replace(/^\[\S+\]: /, ''));
  }

  async function waitUntilBuildRuns(): Promise<void> {
    await expect.poll(loggedLines, { timeout: BUILD_MS }).toContain('begun');
    await eventually(
      async () => (await findSleepProcesses()).length > 0,
      'the program of the build to start',
    );
  }

  async function waitUntilNoBuildRuns(): Promise<void> {
    await eventually(async () => (await findSleepProcesses()).length === 0, 'the build to stop');
  }

  const findSleepProcesses = () => findProcessesByArgv('sleep', '4242');
});
