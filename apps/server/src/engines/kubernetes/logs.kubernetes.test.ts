import { instanceLogName } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf } from '../../../test/engines/fake-log-sink.ts';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import { killApiServer } from '../../../test/engines/kubernetes/cluster-outages.ts';
import {
  createKubernetesBench,
  type KubernetesBench,
  SIGNAL,
} from '../../../test/engines/kubernetes/kubernetes-bench.ts';
import { isClusterDown } from './kubernetes-error.ts';

/** Prints a number about 20 times a second, and serves. */
const COUNTS =
  'httpd -p $PORT; i=0; while true; do echo $i; i=$((i+1)); busybox usleep 50000; done';

/** The API server starts within seconds on a quiet machine. */
const OUTAGE = { timeout: 120_000 };

describe.skipIf(missingForCluster.length > 0)('the log of an instance on a cluster', () => {
  let bench: KubernetesBench;
  beforeAll(async () => {
    bench = await createKubernetesBench();
  });
  afterAll(() => bench.clear());

  it('continues after a restart of the server, without lost or repeated lines', async () => {
    const spec = await bench.spec({ settings: { Cmd: ['sh', '-c', COUNTS] } });
    const printed = () => linesOf(instanceLogName(spec.appId, 1), bench.lines);
    const count = async () => printed().length;
    const first = await bench.engine();
    await first.build(spec, () => {}, SIGNAL);
    const instance = await first.startInstance(spec, SIGNAL);
    await first.waitUntilListening(instance, spec, SIGNAL);
    await expect.poll(count).toBeGreaterThan(50);
    for (let restarts = 0; restarts < 3; restarts += 1) {
      const before = printed().length;
      await (restarts === 0 ? first.close() : undefined);
      const next = await bench.engine();
      // As the reconciler does it after a start.
      await next.observe(spec.appId, SIGNAL);
      await expect.poll(count).toBeGreaterThan(before + 50);
      await next.close();
    }
    const lines = printed();
    expect(lines).toEqual(lines.map((_, index) => String(index)));
  });

  it('continues after outages of the API server, without lost or repeated lines', async () => {
    const spec = await bench.spec({ settings: { Cmd: ['sh', '-c', COUNTS] } });
    const printed = () => linesOf(instanceLogName(spec.appId, 1), bench.lines);
    const count = async () => printed().length;
    const engine = await bench.engine();
    await engine.build(spec, () => {}, SIGNAL);
    const instance = await engine.startInstance(spec, SIGNAL);
    await engine.waitUntilListening(instance, spec, SIGNAL);
    const respond = () => bench.deps.api.call('GET', '/readyz/ping', { signal: SIGNAL });
    const isUp = () =>
      respond().then(
        () => true,
        (error) => !isClusterDown(error),
      );
    for (let outages = 0; outages < 2; outages += 1) {
      await expect.poll(count, OUTAGE).toBeGreaterThan(printed().length + 50);
      await killApiServer(bench.kubeconfig);
      await expect.poll(isUp, OUTAGE).toBe(false);
      const before = printed().length;
      await expect.poll(isUp, OUTAGE).toBe(true);
      await expect.poll(count, OUTAGE).toBeGreaterThan(before + 50);
    }
    const lines = printed();
    expect(lines).toEqual(lines.map((_, index) => String(index)));
    expect(bench.errors).toEqual([]);
  }, 300_000);
});
