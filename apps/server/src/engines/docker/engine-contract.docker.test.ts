import {
  type AppBehaviour,
  describeEngineContract,
  describeRunningApps,
} from '@longshore/testkit/engine';
import { describe } from 'vitest';
import { importNodeImage } from '../../../test/engines/docker/base-image.ts';
import { createDockerBench, SERVES } from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { createOperator } from '../../../test/engines/docker/operator.ts';
import { listFolder } from '../process/release-record.ts';
import { checkoutsFolder } from './folders.ts';

const DOCKERFILES: Record<AppBehaviour, string> = {
  serves: SERVES,
  'exits with code 7': 'CMD ["sh", "-c", "exit 7"]',
  'does not build': 'RUN exit 1',
  'builds forever': 'RUN sleep 100000',
};

describe.skipIf(!canRunDocker)('with a Docker Engine', () => {
  describeEngineContract('docker', async () => {
    const bench = await createDockerBench();
    const operator = createOperator(bench.daemon.api);
    return {
      engine: await bench.engine(),
      spec: (behaviour) => bench.spec([DOCKERFILES[behaviour]]),
      machine: {
        program: 'sleep 100000',
        async traces() {
          const commands = (await operator.containers()).map(({ Command }) => Command);
          const checkouts = await listFolder(checkoutsFolder(bench.deps));
          return [...commands, ...checkouts, ...(await operator.images())];
        },
      },
      clear: bench.clear,
    };
  });

  describeRunningApps('docker', async () => {
    const bench = await createDockerBench();
    await importNodeImage(bench.daemon.api);
    const { repositories } = bench;
    return {
      engine: await bench.engine({ limits: { ...bench.deps.limits, listenTimeoutMs: 10_000 } }),
      spec: async (files, changes) =>
        repositories.spec(await repositories.repository(files), changes),
      clear: bench.clear,
    };
  });
});
