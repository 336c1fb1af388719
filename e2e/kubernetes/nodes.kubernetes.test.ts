import {
  type ChartBench,
  canStopPrograms,
  createChartBench,
  cutNode,
  missingForCluster,
} from '@longshore/server/testing/chart';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createApp, drain, INSTALL, listPods, SERVES, signUpOperator } from './installation.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { expectNoFailures, get, startSteadyRequests } from './steady-requests.ts';

const CREATE_MS = 900_000;
const HOST_NAME = 'kubernetes.io/hostname';
/** The cluster declares a node lost after 50 s. */
const LOST = { timeout: 120_000 };
const BACK_MS = 60_000;

describe.skipIf(missingForCluster.length > 0)('nodes with apps', () => {
  let bench: ChartBench;
  let nodes: { first: string; second: string };
  let apps: Record<'pair' | 'single', Awaited<ReturnType<typeof createApp>>>;

  beforeAll(async () => {
    bench = await createChartBench();
    const names = await bench.kubectl('get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}');
    const [first = '', second = ''] = names.split(' ');
    nodes = { first, second };
    await bench.helm('install', 'longshore', ...bench.values('1'), ...firstOnly(first), ...INSTALL);
  }, CREATE_MS);
  afterAll(() => bench?.stop(), 120_000);

  const nodesOf = async ({ id }: { id: string }) => {
    const pods = await listPods(bench, '-A', '-l', `dev.longshore/app=${id}`);
    return pods.map(({ node }) => node).sort();
  };

  it('have one instance each of an app with two', async () => {
    const { client, projectId } = await signUpOperator(bench);
    const app = { projectId, script: SERVES };
    const pair = await createApp(client, bench, { ...app, name: 'pair', replicas: 2 });
    await eventually(async () => (await get(pair)) === 'hello\n', 'the pair');
    await bench.kubectl('cordon', nodes.first);
    const single = await createApp(client, bench, { ...app, name: 'single' });
    await eventually(async () => (await get(single)) === 'hello\n', 'the single one');
    await bench.kubectl('uncordon', nodes.first);
    apps = { pair, single };
    expect(await nodesOf(pair)).toEqual([nodes.first, nodes.second]);
    expect(await nodesOf(single)).toEqual([nodes.second]);
  });

  it.skipIf(!canStopPrograms)(
    'lose power, and the app with two instances keeps answering',
    async () => {
      const { kubectl, kubeconfig } = bench;
      const edges = await listPods(bench, '-l', 'app.kubernetes.io/component=edge');
      // Not the port of a node, which leads to lost edges too until the cluster notices.
      const url = `http://${edges.find(({ node }) => node === nodes.first)?.address}:80`;
      const requests = startSteadyRequests({ ...apps.pair, url });
      const restore = await cutNode(kubeconfig, nodes.second);
      try {
        const taints = ['get', 'node', nodes.second, '-o', 'jsonpath={.spec.taints[*].key}'];
        await expect.poll(() => kubectl(...taints), LOST).toContain('unreachable');
        const lostAt = performance.now();
        const answer = () => get({ ...apps.single, url }).catch(String);
        await expect.poll(answer, LOST).toBe('hello\n');
        expect(performance.now() - lostAt).toBeLessThan(BACK_MS);
      } finally {
        await restore();
      }
      await expectNoFailures(requests);
    },
    400_000,
  );

  it('are drained without a failed request to an app with one of its two instances there', async () => {
    const { kubectl } = bench;
    const taints = ['get', 'node', nodes.second, '-o', 'jsonpath={.spec.taints}'];
    await expect.poll(() => kubectl(...taints), LOST).toBe('');
    const requests = startSteadyRequests(apps.pair);
    // A single server that moves at the same time could not send the new addresses to the edges.
    await drain(bench, nodes.second, ['postgres', 'server']);
    await expect.poll(() => nodesOf(apps.pair), LOST).toEqual([nodes.first, nodes.first]);
    await expectNoFailures(requests);
  }, 400_000);

  it.each([['first', 'second'] as const, ['second', 'first'] as const])(
    'are drained without a failed request to an app with both of its instances there: the %s one',
    async (from, to) => {
      expect(await nodesOf(apps.pair)).toEqual([nodes[from], nodes[from]]);
      const requests = startSteadyRequests(apps.pair);
      await drain(bench, nodes[from], ['postgres', 'server']);
      await expect.poll(() => nodesOf(apps.pair), LOST).toEqual([nodes[to], nodes[to]]);
      await expectNoFailures(requests);
    },
    400_000,
  );

  it('keep the last instance that gets requests while no server runs, and are drained later', async () => {
    const { kubectl } = bench;
    const staying = ['postgres', 'server', 'edge'];
    await drain(bench, nodes.second, staying);
    await expect.poll(() => nodesOf(apps.pair), LOST).toEqual([nodes.first, nodes.first]);
    await eventually(async () => (await get(apps.pair)) === 'hello\n', 'the pair');
    const scale = ['scale', 'deployment/longshore-server', '--timeout=120s'];
    await kubectl(...scale, '--replicas=0');
    const servers = () => listPods(bench, '-l', 'app.kubernetes.io/component=server');
    await expect.poll(servers, LOST).toEqual([]);
    const requests = startSteadyRequests(apps.pair);
    await expect(drain(bench, nodes.first, staying, '20s')).rejects.toThrow();
    // Its replacement is ready for the cluster, but not known to the edges.
    const conditions = '{.items[*].status.conditions[?(@.type=="Ready")].status}';
    const list = ['get', 'pods', '-A', '-l', `dev.longshore/app=${apps.pair.id}`];
    const ready = () => kubectl(...list, '-o', `jsonpath=${conditions}`);
    await expect.poll(ready, LOST).toBe('True True');
    expect(await nodesOf(apps.pair)).toEqual([nodes.first, nodes.second]);
    await expect(drain(bench, nodes.first, staying, '20s')).rejects.toThrow();
    expect(await nodesOf(apps.pair)).toEqual([nodes.first, nodes.second]);
    await kubectl(...scale, '--replicas=1');
    await drain(bench, nodes.first, staying);
    await expect.poll(() => nodesOf(apps.pair), LOST).toEqual([nodes.second, nodes.second]);
    await expectNoFailures(requests);
  }, 600_000);

  it('are drained without a failed request through a load balancer that notices it seconds later', async () => {
    const { kubectl } = bench;
    const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
    await kubectl('patch', 'service', 'longshore-edge', '-p', JSON.stringify({ spec }));
    const deployment = 'deployment/longshore-edge';
    await kubectl('set', 'env', deployment, 'LONGSHORE_EDGE_LEAVE_SECONDS=20');
    await kubectl('rollout', 'status', deployment, '--timeout=180s');
    const edges = () => listPods(bench, '-l', 'app.kubernetes.io/component=edge');
    const nodesOfEdges = async () => (await edges()).map(({ node }) => node).sort();
    await expect.poll(nodesOfEdges, LOST).toEqual([nodes.first, nodes.second]);
    const balancer = await startLoadBalancer(bench);
    onTestFinished(balancer.stop);
    const requests = startSteadyRequests({ ...apps.pair, url: balancer.url });
    await drain(bench, nodes.second, ['postgres', 'server']);
    await expectNoFailures(requests);
  }, 600_000);
});

/** Values that keep the only Postgres, and the only server if it can be, on this node. */
function firstOnly(node: string): string[] {
  const requirement = { key: HOST_NAME, operator: 'In', values: [node] };
  const preference = { weight: 100, preference: { matchExpressions: [requirement] } };
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [preference] };
  return [
    ...['--set-json', `postgres.nodeSelector=${JSON.stringify({ [HOST_NAME]: node })}`],
    ...['--set-json', `server.affinity=${JSON.stringify({ nodeAffinity })}`],
  ];
}
