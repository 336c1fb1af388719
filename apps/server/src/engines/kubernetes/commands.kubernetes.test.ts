import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf } from '../../../test/engines/fake-log-sink.ts';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import {
  createKubernetesBench,
  type KubernetesBench,
  SIGNAL,
} from '../../../test/engines/kubernetes/kubernetes-bench.ts';
import type { ReleaseSpec } from '../engine.ts';
import { clusterDown } from './kubernetes-error.ts';
import { commandSelector, namespaceOf } from './ownership.ts';
import type { PreparedKubernetesEngine } from './prepare-engine.ts';

const IMAGE = { settings: { Cmd: ['sleep', '1000'] } };
const START_MS = 60_000;

describe.skipIf(missingForCluster.length > 0)('a command on a cluster', () => {
  let bench: KubernetesBench;
  let engine: PreparedKubernetesEngine;
  beforeAll(async () => {
    bench = await createKubernetesBench();
    engine = await bench.engine();
  });
  afterAll(() => bench.clear());

  async function built(changes?: Partial<ReleaseSpec>): Promise<ReleaseSpec> {
    const spec = await bench.spec(IMAGE, changes);
    await engine.build(spec, () => {}, SIGNAL);
    return spec;
  }

  /** The names of the objects of commands that exist in the project of an app. */
  async function left({ projectId }: ReleaseSpec, kind: 'pods' | 'secrets'): Promise<string[]> {
    const { installation } = bench.deps;
    const owner = { installation, prefix: 'longshore' };
    const path = `/api/v1/namespaces/${namespaceOf(owner, projectId)}/${kind}`;
    const query = { labelSelector: commandSelector(owner) };
    const { items } = await bench.deps.api.call<{ items: { metadata: { name: string } }[] }>(
      'GET',
      path,
      { query, signal: SIGNAL },
    );
    return items.map(({ metadata }) => metadata.name);
  }

  const commandOf = (text: string, logName: string) => ({
    id: 'release',
    text,
    logName,
    timeoutMs: 120_000,
  });

  it('leaves no pod and no Secret', async () => {
    const spec = await built({ env: { COLOUR: 'red' } });
    const command = commandOf('sh -c "echo $COLOUR"', 'plain');
    const end = await engine.runCommand(spec, command, SIGNAL);
    expect(end).toMatchObject({ kind: 'exited', exit: { code: 0 } });
    expect(await left(spec, 'pods')).toEqual([]);
    await expect.poll(() => left(spec, 'secrets')).toEqual([]);
  });

  it('of an earlier server is ended by the next one', async () => {
    const spec = await built();
    const running = engine.runCommand(spec, commandOf('sleep 1000', 'forever'), SIGNAL);
    const ended = running.catch((error: unknown) => error);
    await expect.poll(() => left(spec, 'pods'), { timeout: START_MS }).toHaveLength(1);
    const next = await bench.engine();
    await next.observe(spec.appId, SIGNAL);
    await expect.poll(() => left(spec, 'pods'), { timeout: START_MS }).toEqual([]);
    await ended;
    await next.close();
  });

  it('that prints much loses and repeats no line', async () => {
    const spec = await built();
    const text = 'i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done';
    await engine.runCommand(spec, commandOf(text, 'many'), SIGNAL);
    const [, ...printed] = linesOf('many', bench.lines);
    expect(printed).toEqual(Array.from({ length: 3_000 }, (_, index) => `line ${index}`));
  });

  it('continues while the API server does not respond', async () => {
    let failures: number | undefined;
    const { api } = bench.deps;
    const whileUp = <Result>(call: () => Promise<Result>): Promise<Result> => {
      if (failures === undefined || failures >= 5) return call();
      failures += 1;
      return Promise.reject(clusterDown('test'));
    };
    const other = await bench.engine({
      api: {
        ...api,
        call: (...args) => whileUp(() => api.call(...args)),
        follow: (...args) => whileUp(() => api.follow(...args)),
      },
    });
    const spec = await built();
    const text = 'echo begun; sleep 10; echo ended';
    const running = other.runCommand(spec, commandOf(text, 'outage'), SIGNAL);
    await expect
      .poll(() => linesOf('outage', bench.lines), { timeout: START_MS })
      .toContain('begun');
    failures = 0;
    expect(await running).toMatchObject({ kind: 'exited', exit: { code: 0 } });
    expect(failures).toBe(5);
    expect(linesOf('outage', bench.lines).slice(1)).toEqual(['begun', 'ended']);
    await other.close();
  });

  it('reports that it ran out of memory', async () => {
    const spec = await built({
      size: { cpus: 0.5, memoryBytes: 32 * 1024 ** 2, processes: 64 },
    });
    const command = commandOf('busybox tail /dev/zero', 'memory');
    const end = await engine.runCommand(spec, command, SIGNAL);
    expect(end).toMatchObject({ kind: 'exited', exit: { isOutOfMemory: true } });
  });
});
