import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeployHarness, fromImage, startDeployHarness } from '../../../test/deploy-harness.ts';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import { pauseNode } from '../../../test/engines/kubernetes/cluster-outages.ts';
import {
  createKubernetesBench,
  type KubernetesBench,
  SIGNAL,
} from '../../../test/engines/kubernetes/kubernetes-bench.ts';
import { LABELS } from './ownership.ts';

/** The cluster waits 50 s for a node, and the pod half a minute more. */
const LOST = { timeout: 240_000 };
const SERVES = { settings: { Cmd: ['sh', '-c', 'exec httpd -f -p $PORT'] } };

describe.skipIf(missingForCluster.length > 0)('an app on a node that is lost', () => {
  let bench: KubernetesBench;
  let harness: DeployHarness;
  beforeAll(async () => {
    bench = await createKubernetesBench();
    harness = await startDeployHarness(await bench.engine(), () => []);
  });
  afterAll(async () => {
    await harness.stop();
    await bench.clear();
  });

  async function nodeOf(appId: string): Promise<string> {
    type Listed = { metadata: { deletionTimestamp?: string }; spec: { nodeName?: string } };
    const query = { labelSelector: `${LABELS.app}=${appId}` };
    const { items } = await bench.deps.api.call<{ items: Listed[] }>('GET', '/api/v1/pods', {
      query,
      signal: SIGNAL,
    });
    const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return staying.map(({ spec }) => spec.nodeName ?? '').join();
  }

  it('serves on another node, its log says why, and it can be deleted before the node is back', async () => {
    const { origin } = await bench.spec(SERVES);
    const appId = harness.deploy(fromImage(origin.image));
    await harness.waitUntilSynced(appId);
    const lost = await nodeOf(appId);
    const first = harness.store.observedOf(appId).serving?.logName;
    const resume = await pauseNode(bench.kubeconfig, lost);
    try {
      const isMoved = () => {
        const { logName } = harness.store.observedOf(appId).serving ?? {};
        return logName !== undefined && logName !== first;
      };
      await expect.poll(isMoved, LOST).toBe(true);
      const other = await nodeOf(appId);
      expect([lost, other].sort()).toEqual(['node1', 'node2']);
      expect(bench.lines).toContain(
        `[${first}]: The cluster replaces this instance: its node does not respond`,
      );
      harness.store.deleteApp(appId);
      await expect.poll(() => nodeOf(appId), LOST).toBe('');
    } finally {
      resume();
    }
  }, 500_000);
});
