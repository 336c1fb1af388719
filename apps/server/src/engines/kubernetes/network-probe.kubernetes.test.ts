import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_IMAGE } from '../../../test/engines/docker/base-image.ts';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import {
  createKubernetesBench,
  type KubernetesBench,
  SIGNAL,
} from '../../../test/engines/kubernetes/kubernetes-bench.ts';
import { openAsServer } from '../../../test/engines/kubernetes/server-account.ts';
import { isolationOf } from './isolation.ts';
import { probeNetworkPolicies } from './network-probe.ts';

describe.skipIf(missingForCluster.length > 0)(
  'on a cluster without a network plugin for it',
  () => {
    let bench: KubernetesBench;
    beforeAll(async () => {
      bench = await createKubernetesBench();
      await bench.registry.publish({ base: NODE_IMAGE, name: NODE_IMAGE, settings: {} });
    });
    afterAll(() => bench.clear());

    it('finds with the rights of the chart that policies are not enforced, and leaves nothing', async () => {
      const { deps, kubeconfig } = bench;
      const options = { kubeconfig, folder: deps.dataDir, prefix: deps.namespacePrefix };
      const { api } = await openAsServer(deps.api, options);
      const owner = { installation: deps.installation, prefix: deps.namespacePrefix };
      const result = await probeNetworkPolicies({ api, owner, image: deps.nodeImage }, SIGNAL);
      expect(result).toEqual({ kind: 'not-enforced', directions: ['incoming', 'outgoing'] });
      const query = { labelSelector: `dev.longshore/installation=${deps.installation}` };
      const list = () =>
        deps.api.call<{ items: [] }>('GET', '/api/v1/namespaces', { query, signal: SIGNAL });
      await expect.poll(async () => (await list()).items).toEqual([]);
      const engine = await bench.engine({ api });
      await expect.poll(() => engine.isolation()).toEqual(isolationOf(result));
    });
  },
);
