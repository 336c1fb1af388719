import { afterAll, beforeAll, describe } from 'vitest';
import { type DeployHarness, fromGit, startDeployHarness } from '../../../test/deploy-harness.ts';
import { NPM_IMAGE } from '../../../test/engines/docker/base-image.ts';
import { createDockerBench, type DockerBench } from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { CHECKED_SERVER, testHealthChecks } from '../../../test/health-checks.ts';

describe.skipIf(!canRunDocker)('the health check of a container', () => {
  let bench: DockerBench;
  let harness: DeployHarness;

  beforeAll(async () => {
    bench = await createDockerBench();
    harness = await startDeployHarness(await bench.engine({}), () => []);
  });
  afterAll(async () => {
    await harness.stop();
    await bench.clear();
  });

  const Dockerfile = `FROM ${NPM_IMAGE}\nCOPY server.js .\nCMD ["node", "server.js"]\n`;
  testHealthChecks({
    harness: () => harness,
    origin: async () =>
      fromGit(await bench.repositories.repository({ Dockerfile, 'server.js': CHECKED_SERVER })),
  });
});
