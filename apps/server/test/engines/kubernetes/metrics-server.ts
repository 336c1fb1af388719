import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';
import type { KubernetesApi } from '../../../src/engines/kubernetes/kubernetes-api.ts';
import { openMetricsServer } from './kubernetes-programs.ts';

const PORT = 4443;
const NAME = 'metrics-server';
const NAMESPACE = 'kube-system';
/** The shortest that it accepts. */
const RESOLUTION = '10s';
/** Ends a program with the test process, however that ends. */
const WITH_TESTS = ['setpriv', '--pdeathsig', 'KILL'] as const;
const SIGNAL = new AbortController().signal;

type ClusterAccess = { kubeconfig: string; api: KubernetesApi };

/** Lets a cluster of `startCluster` offer `metrics.k8s.io`, until it is stopped. */
export async function startMetricsServer(access: ClusterAccess): Promise<() => Promise<void>> {
  const programs = await openMetricsServer(() => {});
  const folder = await mkdtemp(join(tmpdir(), 'longshore-metrics-'));
  const host = await hostOf(access);
  const log = await open(join(folder, 'log'), 'w');
  const [program, ...until] = WITH_TESTS;
  const argv = [...until, join(programs, NAME), ...options(access, host, folder)];
  const child = spawn(program, argv, { stdio: ['ignore', log.fd, log.fd] });
  const exit = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exit;
    await log.close();
    await rm(folder, { recursive: true });
  };
  try {
    await register(access, host);
    const isServed = () =>
      access.api
        .call('GET', '/apis/metrics.k8s.io/v1beta1/pods', { signal: SIGNAL })
        .then(() => true);
    await eventually(isServed, 'metrics.k8s.io');
    return stop;
  } catch (error) {
    const text = await readFile(join(folder, 'log'), 'utf8');
    await stop();
    throw new Error(`The Metrics Server did not start: ${text.slice(-2_000)}`, { cause: error });
  }
}

/** The API server of a test cluster listens on the address of this machine that its nodes know. */
async function hostOf({ kubeconfig }: ClusterAccess): Promise<string> {
  const { clusters } = JSON.parse(await readFile(kubeconfig, 'utf8')) as {
    clusters: [{ cluster: { server: string } }];
  };
  return new URL(clusters[0].cluster.server).hostname;
}

function options({ kubeconfig }: ClusterAccess, host: string, folder: string): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    `--bind-address=${host}`,
    `--secure-port=${PORT}`,
    `--cert-dir=${folder}`,
    `--metric-resolution=${RESOLUTION}`,
    '--kubelet-request-timeout=5s',
    '--kubelet-insecure-tls',
    '--kubelet-preferred-address-types=InternalIP',
  ];
}

/** It does not run in the cluster, so the Service only names its address. */
async function register({ api }: ClusterAccess, host: string): Promise<void> {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: NAME, namespace: NAMESPACE },
    spec: { type: 'ExternalName', externalName: host },
  };
  const version = 'v1beta1.metrics.k8s.io';
  const apiService = {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: version },
    spec: {
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      service: { name: NAME, namespace: NAMESPACE, port: PORT },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  };
  const services = `/api/v1/namespaces/${NAMESPACE}/services/${NAME}`;
  const apply = (path: string, body: object) =>
    api.call('PATCH', path, { patch: 'apply', body, signal: SIGNAL });
  await apply(services, service);
  await apply(`/apis/apiregistration.k8s.io/v1/apiservices/${version}`, apiService);
}
