import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import type { Instance } from '../engine.ts';
import type { DockerEngine } from './engine.ts';

const NOT_CHOSEN = { ports: [{ number: 80, expose: true }] };

describe.skipIf(!canRunDocker)('when no port was chosen', () => {
  let bench: DockerBench;
  let engine: DockerEngine;

  beforeAll(async () => {
    bench = await createDockerBench();
    engine = await bench.engine({ limits: { ...bench.deps.limits, listenTimeoutMs: 15_000 } });
  });
  beforeEach(() => {
    bench.lines.length = 0;
  });
  afterAll(() => bench.clear());

  it('an app gets the one of EXPOSE, also in PORT', async () => {
    const spec = await bench.spec(['EXPOSE 8123', serving('$PORT')], NOT_CHOSEN);
    expect(await textOf(await buildAndStart(engine, spec))).toBe('8123\n');
    expect(restarts()).toEqual([]);
  });

  it('an app that listens elsewhere is restarted once, and its next releases start there', async () => {
    const spec = await bench.spec([serving('4567')], NOT_CHOSEN);
    const instance = await buildAndStart(engine, spec);
    expect(await textOf(instance)).toBe('4567\n');
    expect((await engine.observe(spec.appId, SIGNAL)).instances).toMatchObject([
      { id: instance.id, address: instance.address, startedAt: instance.startedAt },
    ]);
    const next = { ...spec, number: 2 };
    await engine.reuseBuild(next, 1, SIGNAL);
    expect(await textOf(await buildAndStart(engine, next))).toBe('4567\n');
    expect(restarts()).toHaveLength(1);
  });

  it('an app that listens elsewhere keeps the variables that it was started with', async () => {
    const spec = await bench.spec([serving('4567', '$SECRET')], NOT_CHOSEN);
    await engine.build(spec, () => {}, SIGNAL);
    const resolved = { ...spec, env: { SECRET: 'the value' } };
    const started = await engine.startInstance(resolved, SIGNAL);
    const stored = { ...spec, env: { SECRET: '${{db.SECRET}}' } };
    const { instance } = await engine.waitUntilListening(started, stored, SIGNAL);
    expect(await textOf(instance)).toBe('the value\n');
  });

  it('an app that listens only on 127.0.0.1 fails with that reason', async () => {
    const spec = await bench.spec([serving('127.0.0.1:4567')], NOT_CHOSEN);
    await expect(buildAndStart(engine, spec)).rejects.toMatchObject({
      reason: 'listens-on-loopback',
      evidence: expect.arrayContaining(['The app listens on 127.0.0.1 port 4567']),
    });
  });

  function restarts(): string[] {
    return bench.lines.filter((line) => line.includes('so it is restarted with that port'));
  }
});

/** A page with the value of a variable. */
function serving(address: string, variable = '$PORT'): string {
  const line = `mkdir /tmp/site; echo ${variable} > /tmp/site/index.html; exec httpd -f -p ${address} -h /tmp/site`;
  return `CMD ${JSON.stringify(['sh', '-c', line])}`;
}

async function textOf({ address }: Instance): Promise<string> {
  return await (await fetch(`http://${address.host}:${address.port}/`)).text();
}
