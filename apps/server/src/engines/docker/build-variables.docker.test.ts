import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { nodeApp } from '../../../test/engines/process/engine-bench.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';
import type { DockerEngine } from './engine.ts';
import { imageTag } from './ownership.ts';

const TOKEN = 'planted-4f1c9a7e20b35d86';
const REVERSED = [...TOKEN].reverse().join('');

/** A page with the reversed value, so that the value itself must be nowhere. */
const GENERATED = {
  ...nodeApp('require("node:fs").readFileSync("page.txt", "utf8")'),
  'build.js': `const reversed = [...(process.env.TOKEN ?? '')].reverse().join('');
require('node:fs').writeFileSync('page.txt', reversed);`,
};
const BUILD = { buildCommand: 'node build.js' };

describe.skipIf(!canRunDocker)('the variables of a build', () => {
  let bench: DockerBench;
  let engine: DockerEngine;

  beforeAll(async () => {
    bench = await createDockerBench();
    engine = await bench.engine();
  });
  beforeEach(() => {
    bench.lines.length = 0;
  });
  afterAll(() => bench.clear());

  it('reach a generated Dockerfile, and no layer, history or setting of its image', async () => {
    const spec = await generated({ env: { TOKEN }, build: BUILD });
    expect(await textOf(await buildAndStart(engine, spec))).toBe(JSON.stringify(REVERSED));
    const image = await archiveOf(spec);
    expect(image.includes(REVERSED)).toBe(true);
    expect(image.includes(TOKEN)).toBe(false);
  });

  it('run the steps again when a value changes, and only then', async () => {
    const spec = await generated({ env: { TOKEN: 'abc' }, build: BUILD });
    await engine.build(spec, () => {}, SIGNAL);
    const changed = { ...spec, number: 2, env: { TOKEN: 'xyz' } };
    expect(await textOf(await buildAndStart(engine, changed))).toBe('"zyx"');
    bench.lines.length = 0;
    await engine.build({ ...changed, number: 3 }, () => {}, SIGNAL);
    expect(bench.lines.join('\n')).toMatch(/node.*build\.js.*\(cached\)$/m);
  });

  it('are only those that were chosen', async () => {
    const build = { ...BUILD, variables: ['OTHER'] };
    const spec = await generated({ env: { TOKEN, OTHER: 'x' }, build });
    expect(await textOf(await buildAndStart(engine, spec))).toBe('""');
  });

  it('are arguments of a Dockerfile that declares them, and secrets for its mounts', async () => {
    const steps = [
      'ARG COLOUR=none',
      `RUN --mount=type=secret,id=TOKEN,env=TOKEN mkdir /site && echo "$COLOUR \${#TOKEN}" > /site/index.html`,
      'CMD ["sh", "-c", "exec httpd -f -p $PORT -h /site"]',
    ];
    const spec = await bench.spec(steps, { env: { TOKEN, COLOUR: 'red, a=b' } });
    expect(await textOf(await buildAndStart(engine, spec))).toBe(`red, a=b ${TOKEN.length}\n`);
    expect((await archiveOf(spec)).includes(TOKEN)).toBe(false);
    const changed = { ...spec, number: 2, env: { TOKEN: 'short', COLOUR: 'blue' } };
    expect(await textOf(await buildAndStart(engine, changed))).toBe('blue 5\n');
  });

  async function generated(changes: Partial<ReleaseSpec>): Promise<ReleaseSpec> {
    return bench.repositories.spec(await bench.repositories.repository(GENERATED), changes);
  }

  /** The image as `docker save` writes it: its layers, unpacked, and its configuration with its history. */
  async function archiveOf({ appId, number }: ReleaseSpec): Promise<Buffer> {
    const name = imageTag({ installation: bench.deps.installation }, appId, number);
    const chunks: Buffer[] = [];
    const { docker } = bench.deps;
    for await (const chunk of await docker.follow('GET', `/images/${name}/get`, {
      signal: SIGNAL,
    })) {
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
});

async function textOf({ address }: Instance): Promise<string> {
  return await (await fetch(`http://${address.host}:${address.port}/`)).text();
}
