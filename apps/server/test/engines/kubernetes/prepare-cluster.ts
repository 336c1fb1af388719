import { installKubernetesClient } from '../../../../../scripts/steps/install-kubernetes-client.mjs';
import { missingForCluster } from './cluster.ts';
import { openKubernetesPrograms, openMetricsServer } from './kubernetes-programs.ts';

/** Started by `npm test`, and by Vitest before the tests on a cluster, whose hooks have deadlines. */
export async function setup(): Promise<void> {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  if (missingForCluster.length > 0) {
    print(`Kubernetes tests are skipped. Missing: ${missingForCluster.join(', ')}`);
    return;
  }
  await installKubernetesClient({ environment: { LONGSHORE_ENGINE: 'kubernetes' } });
  await openKubernetesPrograms(print);
  await openMetricsServer(print);
}

if (import.meta.main) await setup();
