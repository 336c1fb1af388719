import { afterAll, beforeAll, describe } from 'vitest';
import { type DeployHarness, fromGit, startDeployHarness } from '../../../test/deploy-harness.ts';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import { CHECKED_SERVER, testHealthChecks } from '../../../test/health-checks.ts';

let bench: EngineBench;
let harness: DeployHarness;

beforeAll(async () => {
  bench = await createEngineBench();
  harness = await startDeployHarness(await bench.engine(), () => []);
});
afterAll(async () => {
  await harness.stop();
  await bench.clear();
});

describe('the health check of a process', () => {
  testHealthChecks({
    harness: () => harness,
    origin: async () =>
      fromGit(await bench.repository({ ...nodeApp(), 'server.js': CHECKED_SERVER })),
  });
});
