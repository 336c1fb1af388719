import { join } from 'node:path';
import { type AppValues, AUTO_DOMAIN, autoDomain } from '@longshore/contract';
import { processesOf } from '../e2e/support/app-processes.ts';
import { makeRepository } from '../e2e/support/repository.ts';
import { type BenchUser, signUp } from './support/bench-user.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import { deployManually, type ManualDeploy, waitForExit } from './support/manual-deploy.ts';
import type { Measurement } from './support/measurement.ts';
import type { Scope } from './support/scope.ts';
import { median } from './support/statistics.ts';
import { TINY_APP, waitForTinyApp } from './support/tiny-app.ts';
import { waitUntil } from './support/wait-until.ts';
import { now } from './support/wall-clock.ts';

const RUNS = 7;
const BUDGET_MS = 2_000;
const ROLLBACK_BUDGET_MS = 3_000;
const WAKE_BUDGET_MS = 300;
const BASE_DOMAIN = 'localhost';
const PAUSE_MS = 25;
const POLL_MS = 5;

type Run = {
  spawnedMs: number;
  respondedMs: number;
  hibernatedMs: number;
  wokenMs: number;
  rolledBackMs: number;
  wokenByRequestMs: number;
  manual: ManualDeploy;
};
type Compared = { value: number; baseline: { value: number } };
type DeployTarget = {
  longshore: Longshore;
  user: BenchUser;
  projectId: string;
  url: string;
  scope: Scope;
};

await runBenchmark('deploy', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const url = await makeRepository(join(folder, 'tiny'), TINY_APP);
  const longshore = await startLongshore(join(folder, 'data'), scope);
  const user = await signUp(longshore.url, 'ada@example.com');
  const projectId = await user.insert('project', { userId: user.id, name: 'Harbour' });
  const target = { longshore, user, projectId, url, scope };
  const runs: Run[] = [];
  for (let number = 0; number < RUNS; number += 1) {
    const manual = await deployManually(url, join(folder, `clone-${number}`), scope);
    runs.push({ ...(await deploy(`tiny-${number}`, target)), manual });
  }
  return measurements(runs);
});

async function deploy(name: string, target: DeployTarget): Promise<Omit<Run, 'manual'>> {
  const { longshore, user, scope } = target;
  const values = appValues(name, target);
  const startedAt = now();
  const id = await user.insert('app', values);
  const removeOnce = once(() => remove(id, user));
  scope.defer(removeOnce);
  const host = autoDomain({ id, name }, BASE_DOMAIN);
  const first = await waitForTinyApp(longshore.ingressPort, host);
  const respondedMs = now() - startedAt;
  await waitUntilSynced(id, user);

  const processes = await processesOf(id);
  const hibernatedAt = now();
  await user.update(id, { ...values, instances: 0 });
  await Promise.all(processes.map(waitForExit));
  const hibernatedMs = now() - hibernatedAt;
  await waitUntilSynced(id, user);

  const wokenAt = now();
  await user.update(id, { ...values, instances: 1 });
  await waitForTinyApp(longshore.ingressPort, host);
  const wokenMs = now() - wokenAt;
  await waitUntilSynced(id, user);

  await user.update(id, { ...values, instances: 0 });
  await waitUntilSynced(id, user);
  const requestedAt = now();
  await waitForTinyApp(longshore.ingressPort, host);
  const wokenByRequestMs = now() - requestedAt;
  await waitUntilSynced(id, user);

  await user.update(id, { ...values, env: { COLOUR: 'blue' } });
  await waitUntilSynced(id, user);
  const { spawnedAt } = await waitForTinyApp(longshore.ingressPort, host);
  const rolledBackAt = now();
  await user.rollBack(id, 1);
  await waitUntil('the rollback is live', POLL_MS, async () =>
    (await waitForTinyApp(longshore.ingressPort, host)).spawnedAt === spawnedAt ? undefined : true,
  );
  const rolledBackMs = now() - rolledBackAt;
  await waitUntilSynced(id, user);
  await removeOnce();
  const spawnedMs = first.spawnedAt - startedAt;
  return { spawnedMs, respondedMs, hibernatedMs, wokenMs, wokenByRequestMs, rolledBackMs };
}

function appValues(name: string, { projectId, url }: DeployTarget): AppValues {
  return {
    name,
    projectId,
    resourceTier: 't1',
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: AUTO_DOMAIN, baseDomain: BASE_DOMAIN },
    container: { image: '', updatePolicy: 'Always', pullSecretName: '' },
    source: { enabled: true, url, ref: 'main', secretName: '' },
    env: {},
    instances: 1,
    sleep: { afterMinutes: 60 },
  };
}

async function waitUntilSynced(id: string, user: BenchUser): Promise<void> {
  await waitUntil('the app is synced', PAUSE_MS, async () =>
    (await user.statusOf(id)) === 'synced' ? true : undefined,
  );
}

/** Apps outlive the server, so they are deleted before it stops. */
async function remove(id: string, user: BenchUser): Promise<void> {
  await user.delete(id);
  await waitUntil('the app is deleted', PAUSE_MS, async () =>
    (await processesOf(id)).length === 0 ? true : undefined,
  );
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

function measurements(runs: Run[]): Measurement[] {
  const medianOf = (pick: (run: Run) => number) => median(runs.map(pick));
  const spawned = {
    unit: 'ms',
    value: medianOf((run) => run.spawnedMs),
    baseline: {
      name: 'git clone and node, manually',
      value: medianOf((run) => run.manual.deploy.spawnedMs),
    },
  } as const;
  const responded = {
    unit: 'ms',
    value: medianOf((run) => run.respondedMs),
    baseline: {
      name: 'git clone and node, manually',
      value: medianOf((run) => run.manual.deploy.respondedMs),
    },
  } as const;
  const wokenByRequest = {
    unit: 'ms',
    value: medianOf((run) => run.wokenByRequestMs),
    baseline: { name: 'node, manually', value: medianOf((run) => run.manual.startMs) },
  } as const;
  const overhead = ({ value, baseline }: Compared) => value - baseline.value;
  return [
    { name: 'mutation to process spawned', ...spawned },
    {
      name: '  overhead above the baseline',
      unit: 'ms',
      value: overhead(spawned),
      budget: BUDGET_MS,
    },
    { name: 'mutation to public URL responding', ...responded },
    {
      name: '  overhead above the baseline',
      unit: 'ms',
      value: overhead(responded),
      budget: BUDGET_MS,
    },
    {
      name: 'hibernate to process exit',
      unit: 'ms',
      value: medianOf((run) => run.hibernatedMs),
      baseline: { name: 'SIGTERM, manually', value: medianOf((run) => run.manual.stopMs) },
    },
    {
      name: 'wake to public URL responding',
      unit: 'ms',
      value: medianOf((run) => run.wokenMs),
      baseline: { name: 'node, manually', value: medianOf((run) => run.manual.startMs) },
    },
    { name: 'request to a sleeping app until its response', ...wokenByRequest },
    {
      name: '  overhead above the baseline',
      unit: 'ms',
      value: overhead(wokenByRequest),
      budget: WAKE_BUDGET_MS,
    },
    {
      name: 'rollback to public URL responding',
      unit: 'ms',
      value: medianOf((run) => run.rolledBackMs),
      baseline: { name: 'node, manually', value: medianOf((run) => run.manual.startMs) },
      budget: ROLLBACK_BUDGET_MS,
    },
  ];
}
