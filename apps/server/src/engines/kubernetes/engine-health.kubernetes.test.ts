import { afterAll, beforeAll, describe } from 'vitest';
import { type DeployHarness, fromImage, startDeployHarness } from '../../../test/deploy-harness.ts';
import { NODE_IMAGE } from '../../../test/engines/docker/base-image.ts';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import {
  createKubernetesBench,
  type KubernetesBench,
} from '../../../test/engines/kubernetes/kubernetes-bench.ts';
import { CHECKED_SERVER, testHealthChecks } from '../../../test/health-checks.ts';

describe.skipIf(missingForCluster.length > 0)('the health check of a pod', () => {
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

  testHealthChecks({
    harness: () => harness,
    async origin() {
      const files = { 'server.js': CHECKED_SERVER };
      const settings = { Cmd: ['node', '/server.js'] };
      return fromImage((await bench.spec({ base: NODE_IMAGE, files, settings })).origin.image);
    },
  });
});
