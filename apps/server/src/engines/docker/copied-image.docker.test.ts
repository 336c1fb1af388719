import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NODE_IMAGE } from '../../../test/engines/docker/base-image.ts';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { createOperator, type Operator } from '../../../test/engines/docker/operator.ts';
import { nodeApp } from '../../../test/engines/process/engine-bench.ts';
import type { Instance } from '../engine.ts';
import type { DockerEngine } from './engine.ts';
import { copyNamePrefix, imageTag } from './ownership.ts';

const FACTS = `{
  user: process.getuid(),
  folder: process.cwd(),
  home: process.env.HOME,
  mode: process.env.NODE_ENV,
  name: process.env.npm_package_name,
  path: process.env.PATH,
  wrote: require('node:fs').writeFileSync('written', '') === undefined,
  wroteHome: require('node:fs').writeFileSync(process.env.HOME + '/written', '') === undefined,
  files: require('node:fs').readdirSync('.').includes('.git'),
}`;

describe.skipIf(!canRunDocker)('an app without anything to install or build', () => {
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

  it('is copied onto the Node image without a builder, and runs as its own user', async () => {
    const spec = bench.repositories.spec(await bench.repositories.repository(nodeApp(FACTS)));
    expect(JSON.parse(await textOf(await buildAndStart(engine, spec)))).toEqual({
      user: 1000,
      folder: '/app',
      home: '/home/app',
      mode: 'production',
      name: 'fixture',
      path: '/app/node_modules/.bin:/app/.longshore/tools/node_modules/.bin:/usr/local/bin:/usr/bin:/bin',
      wrote: true,
      wroteHome: true,
      files: false,
    });
    expect(bench.lines.join('\n')).toContain(`the files are copied onto ${NODE_IMAGE}`);
    expect(await builders()).toEqual([]);
    const image = await operator.image(tagOf(spec));
    expect(image?.Config?.Labels ?? {}).toEqual({});
    const used = await engine.usedBytes?.({ ownerId: spec.ownerId, appIds: [spec.appId] }, SIGNAL);
    expect(used).toBeLessThan(1_000_000);
    await engine.removeApp(spec.appId, SIGNAL);
    expect(await operator.image(tagOf(spec))).toBeUndefined();
  });

  it('may be a site in a folder of the repository', async () => {
    const files = { 'web/index.html': 'a site', 'README.md': '' };
    const spec = bench.repositories.spec(await bench.repositories.repository(files), {
      build: { rootDirectory: 'web' },
    });
    expect(await textOf(await buildAndStart(engine, spec))).toBe('a site');
    expect(bench.lines.join('\n')).toContain('the files are copied onto');
    await engine.removeApp(spec.appId, SIGNAL);
  });

  it.each(['/archive', '/commit'])('leaves nothing when it is cancelled at %s', async (call) => {
    const stop = new AbortController();
    const { api } = bench.daemon;
    const docker: typeof api = {
      ...api,
      call(method, path, options) {
        if (path.endsWith(call)) stop.abort();
        return api.call(method, path, options);
      },
    };
    const other = await bench.otherEngine({ docker });
    const spec = bench.repositories.spec(await bench.repositories.repository(nodeApp()));
    await expect(other.build(spec, () => {}, stop.signal)).rejects.toThrow();
    expect(await other.listApps(SIGNAL)).toEqual([]);
    expect(await builders()).toEqual([]);
  });

  it('leaves no container when the server is killed, once the next one starts', async () => {
    const owner = { installation: bench.deps.installation };
    const name = `${copyNamePrefix(owner)}4f5e-1`;
    await bench.daemon.api.call('POST', '/containers/create', {
      query: { name },
      body: { Image: NODE_IMAGE, Cmd: ['node'] },
      signal: SIGNAL,
    });
    expect(await builders()).toEqual([`/${name}`]);
    await bench.closeEngines();
    engine = await bench.engine();
    expect(await builders()).toEqual([]);
  });

  /** Also the containers that become images. */
  async function builders(): Promise<string[]> {
    const names = (await operator.containers()).flatMap(({ Names }) => Names);
    return names.filter((name) => /-(?:builder|copy)-/.test(name));
  }

  function tagOf({ appId, number }: { appId: string; number: number }): string {
    return imageTag({ installation: bench.deps.installation }, appId, number);
  }
});

async function textOf({ address }: Instance): Promise<string> {
  return await (await fetch(`http://${address.host}:${address.port}/`)).text();
}
