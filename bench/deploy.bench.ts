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
  const begunAt = now();
  const id = await user.insert('app', values);
  const removeOnce = once(() => remove(id, user));
  scope.defer(removeOnce);
  const host = autoDomain({ id, name }, BASE_DOMAIN);
  const first = await waitForTinyApp(longshore.ingressPort, host);
  const respondedMs = now() - begunAt;
  await settled(id, user);

  const hibernatedAt = now();
  await user.update(id, { ...values, instances: 0 });
  await waitForExit(first.pid);
  const hibernatedMs = now() - hibernatedAt;
  await settled(id, user);

  const wokenAt = now();
  await user.update(id, { ...values, instances: 1 });
  await waitForTinyApp(longshore.ingressPort, host);
  const wokenMs = now() - wokenAt;
  await settled(id, user);

  await user.update(id, { ...values, instances: 0 });
  await settled(id, user);
  const requestedAt = now();
  await waitForTinyApp(longshore.ingressPort, host);
  const wokenByRequestMs = now() - requestedAt;
  await settled(id, user);

  await user.update(id, { ...values, env: { COLOUR: 'blue' } });
  await settled(id, user);
  const { pid } = await waitForTinyApp(longshore.ingressPort, host);
  const rolledBackAt = now();
  await user.rollBack(id, 1);
  await waitUntil('the rollback is live', POLL_MS, async () =>
    (await waitForTinyApp(longshore.ingressPort, host)).pid === pid ? undefined : true,
  );
  const rolledBackMs = now() - rolledBackAt;
  await settled(id, user);
  await removeOnce();
  const spawnedMs = first.spawnedAt - begunAt;
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

async function settled(id: string, user: BenchUser): Promise<void> {
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
  const of = (pick: (run: Run) => number) => median(runs.map(pick));
  const spawned = {
    unit: 'ms',
    value: of((run) => run.spawnedMs),
    baseline: {
      name: 'git clone and node, manually',
      value: of((run) => run.manual.deploy.spawnedMs),
    },
  } as const;
  const answers = {
    unit: 'ms',
    value: of((run) => run.respondedMs),
    baseline: {
      name: 'git clone and node, manually',
      value: of((run) => run.manual.deploy.respondedMs),
    },
  } as const;
  const visited = {
    unit: 'ms',
    value: of((run) => run.wokenByRequestMs),
    baseline: { name: 'node, manually', value: of((run) => run.manual.startMs) },
  } as const;
  const above = ({ value, baseline }: Compared) => value - baseline.value;
  return [
    { name: 'mutation to process spawned', ...spawned },
    { name: '  overhead above the baseline', unit: 'ms', value: above(spawned), budget: BUDGET_MS },
    { name: 'mutation to public URL responding', ...answers },
    { name: '  overhead above the baseline', unit: 'ms', value: above(answers), budget: BUDGET_MS },
    {
      name: 'hibernate to process exit',
      unit: 'ms',
      value: of((run) => run.hibernatedMs),
      baseline: { name: 'SIGTERM, manually', value: of((run) => run.manual.stopMs) },
    },
    {
      name: 'wake to public URL responding',
      unit: 'ms',
      value: of((run) => run.wokenMs),
      baseline: { name: 'node, manually', value: of((run) => run.manual.startMs) },
    },
    { name: 'request to a sleeping app to its response', ...visited },
    {
      name: '  overhead above the baseline',
      unit: 'ms',
      value: above(visited),
      budget: WAKE_BUDGET_MS,
    },
    {
      name: 'rollback to public URL responding',
      unit: 'ms',
      value: of((run) => run.rolledBackMs),
      baseline: { name: 'node, manually', value: of((run) => run.manual.startMs) },
      budget: ROLLBACK_BUDGET_MS,
    },
  ];
}
