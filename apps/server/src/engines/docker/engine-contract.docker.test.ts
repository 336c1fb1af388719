import { type AppBehaviour, describeEngineContract } from '@longshore/testkit/engine';
import { describe } from 'vitest';
import { createDockerBench, SERVES } from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';

const DOCKERFILES: Record<AppBehaviour, string> = {
  serves: SERVES,
  'exits with code 7': 'CMD ["sh", "-c", "exit 7"]',
  'does not build': 'RUN exit 1',
  'builds forever': 'RUN sleep 100000',
};

describe.skipIf(!canRunDocker)('with a Docker Engine', () => {
  describeEngineContract('docker', async () => {
    const bench = await createDockerBench();
    return {
      engine: await bench.engine(),
      spec: (behaviour) => bench.spec([DOCKERFILES[behaviour]]),
      clear: bench.clear,
    };
  });
});
