import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startRegistry } from '../docker/registry.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { openKubernetesPrograms } from './kubernetes-programs.ts';

// biome-ignore lint/style/noProcessEnv: a cluster that tests may use. `KUBECONFIG` may be one that they must not.
const { LONGSHORE_TEST_KUBECONFIG, LONGSHORE_TEST_REGISTRY } = process.env;

/** `isOwn`: it ends with the test. `mirror`: only one of its own has that registry. */
export type TestCluster = Omit<Cluster, 'mirror' | 'etcd'> & {
  mirror: string | undefined;
  isOwn: boolean;
};

/** Whether tests can stop programs of the cluster: `startCluster` started it, here or in another process. */
export const canStopPrograms =
  !LONGSHORE_TEST_KUBECONFIG || existsSync(join(dirname(LONGSHORE_TEST_KUBECONFIG), 'plan.json'));

/** The one that the caller names, with a registry at an address that it pulls from, or a new one. */
export async function openTestCluster(): Promise<TestCluster> {
  if (!LONGSHORE_TEST_KUBECONFIG) return { ...(await startCluster()), isOwn: true };
  const kubeconfig = LONGSHORE_TEST_KUBECONFIG;
  const host = LONGSHORE_TEST_REGISTRY;
  const registry = await startRegistry(host === undefined ? {} : { host });
  const programs = await openKubernetesPrograms(() => {});
  return {
    kubeconfig,
    registry,
    mirror: undefined,
    isOwn: false,
    async kubectl(...args) {
      const argv = ['kubectl', `--kubeconfig=${kubeconfig}`, ...args];
      return (await promisify(execFile)(join(programs, 'kubernetes'), argv)).stdout;
    },
    stop: registry.stop,
  };
}
