import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Cluster } from '../../apps/server/test/engines/kubernetes/cluster.ts';
import { openKwok } from '../../apps/server/test/engines/kubernetes/kubernetes-programs.ts';
import type { Scope } from './scope.ts';
import { type SimulatedLogs, serveSimulatedLogs } from './simulated-logs.ts';
import { waitUntil } from './wait-until.ts';

/** Nodes of the cluster that run programs. No pod of this benchmark goes there. */
const REAL_NODES = ['node1', 'node2'];
const MARK = 'kwok.x-k8s.io/node';
const KUBELET_PORT = 10_247;
const READINESS = '{.items[*].status.conditions[?(@.type=="Ready")].status}';

/** Adds nodes to a cluster whose pods are ready at once. Returns their logs. */
export async function addSimulatedNodes(
  cluster: Cluster,
  count: number,
  scope: Scope,
): Promise<SimulatedLogs> {
  const folder = dirname(cluster.kubeconfig);
  const [address = ''] = cluster.registry.host.split(':');
  const file = (name: string) => join(folder, name);
  const { program, stages } = await openKwok(console.log);
  const argv = [
    `--kubeconfig=${cluster.kubeconfig}`,
    ...stages.map((path) => `--config=${path}`),
    ...['--node-lease-duration-seconds=1200', '--v=WARN'],
    ...[`--manage-nodes-with-annotation-selector=${MARK}=fake`, '--cidr=10.244.0.0/16'],
    ...[`--node-ip=${address}`, `--node-port=${KUBELET_PORT}`, '--node-name=kwok'],
    // Of kwok itself.
    `--server-address=${address}:${KUBELET_PORT + 1}`,
  ];
  const logs = await serveSimulatedLogs(
    {
      certificate: file('apiserver.crt'),
      key: file('apiserver.key'),
      host: address,
      port: KUBELET_PORT,
    },
    scope,
  );
  const child = spawn(program, argv, { stdio: 'ignore' });
  const exit = once(child, 'exit');
  scope.defer(async () => {
    child.kill();
    await exit;
  });
  for (const node of REAL_NODES) await cluster.kubectl('cordon', node);
  await writeFile(file('nodes.json'), JSON.stringify(nodeList(count)));
  await cluster.kubectl('create', '-f', file('nodes.json'));
  // Not `kubectl wait`, which needs a request per node and sends few in a second.
  const readiness = ['get', 'nodes', `--output=jsonpath=${READINESS}`];
  await waitUntil(
    'all nodes are ready',
    1_000,
    async () => {
      const statuses = (await cluster.kubectl(...readiness)).split(' ');
      const ready = statuses.filter((status) => status === 'True');
      return ready.length === count + REAL_NODES.length ? true : undefined;
    },
    300_000,
  );
  return logs;
}

/** All have the same length, which `copyApps` needs. */
function nodeName(index: number): string {
  return `simulated-${String(index).padStart(4, '0')}`;
}

function nodeList(count: number) {
  const capacity = { cpu: '32', memory: '256Gi', pods: '110' };
  const items = Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: nodeName(index),
      annotations: { [MARK]: 'fake' },
      labels: { 'kubernetes.io/hostname': nodeName(index), 'kubernetes.io/os': 'linux' },
    },
    status: { allocatable: capacity, capacity },
  }));
  return { apiVersion: 'v1', kind: 'List', items };
}
