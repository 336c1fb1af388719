import { join } from 'node:path';
import { type AppValues, AUTO_DOMAIN, autoDomain } from '@longshore/contract';
import { processesOf } from '../e2e/support/app-processes.ts';
import { makeRepository } from '../e2e/support/repository.ts';
import { runBenchmark } from './support/benchmark.ts';
import { type ByHand, deployByHand, gone } from './support/by-hand.ts';
import { benchmarkFolder } from './support/folder.ts';
import { type Longshore, startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import { type Person, signUp } from './support/person.ts';
import type { Scope } from './support/scope.ts';
import { median } from './support/statistics.ts';
import { TINY_APP, tinyAnswer } from './support/tiny-app.ts';
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
  answersMs: number;
  hibernatedMs: number;
  wokenMs: number;
  rolledBackMs: number;
  visitedMs: number;
  byHand: ByHand;
};
type Compared = { value: number; floor: { value: number } };
type Place = { longshore: Longshore; person: Person; projectId: string; url: string; scope: Scope };

await runBenchmark('deploy', async (scope) => {
  const folder = await benchmarkFolder(scope);
  const url = await makeRepository(join(folder, 'tiny'), TINY_APP);
  const longshore = await startLongshore(join(folder, 'data'), scope);
  const person = await signUp(longshore.url, 'ada@example.com');
  const projectId = await person.insert('project', { userId: person.id, name: 'Harbour' });
  const place = { longshore, person, projectId, url, scope };
  const runs: Run[] = [];
  for (let number = 0; number < RUNS; number += 1) {
    const byHand = await deployByHand(url, join(folder, `clone-${number}`), scope);
    runs.push({ ...(await deploy(`tiny-${number}`, place)), byHand });
  }
  return measurements(runs);
});

async function deploy(name: string, place: Place): Promise<Omit<Run, 'byHand'>> {
  const { longshore, person, scope } = place;
  const values = appValues(name, place);
  const begunAt = now();
  const id = await person.insert('app', values);
  const removeOnce = once(() => remove(id, person));
  scope.defer(removeOnce);
  const host = autoDomain({ id, name }, BASE_DOMAIN);
  const first = await tinyAnswer(longshore.ingressPort, host);
  const answersMs = now() - begunAt;
  await settled(id, person);

  const hibernatedAt = now();
  await person.update(id, { ...values, instances: 0 });
  await gone(first.pid);
  const hibernatedMs = now() - hibernatedAt;
  await settled(id, person);

  const wokenAt = now();
  await person.update(id, { ...values, instances: 1 });
  await tinyAnswer(longshore.ingressPort, host);
  const wokenMs = now() - wokenAt;
  await settled(id, person);

  await person.update(id, { ...values, instances: 0 });
  await settled(id, person);
  const visitedAt = now();
  await tinyAnswer(longshore.ingressPort, host);
  const visitedMs = now() - visitedAt;
  await settled(id, person);

  await person.update(id, { ...values, env: { COLOUR: 'blue' } });
  await settled(id, person);
  const { pid } = await tinyAnswer(longshore.ingressPort, host);
  const rolledBackAt = now();
  await person.rollBack(id, 1);
  await waitUntil('the app went back', POLL_MS, async () =>
    (await tinyAnswer(longshore.ingressPort, host)).pid === pid ? undefined : true,
  );
  const rolledBackMs = now() - rolledBackAt;
  await settled(id, person);
  await removeOnce();
  const spawnedMs = first.spawnedAt - begunAt;
  return { spawnedMs, answersMs, hibernatedMs, wokenMs, visitedMs, rolledBackMs };
}

function appValues(name: string, { projectId, url }: Place): AppValues {
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

async function settled(id: string, person: Person): Promise<void> {
  await waitUntil('the app is synced', PAUSE_MS, async () =>
    (await person.statusOf(id)) === 'synced' ? true : undefined,
  );
}

/** Apps outlive the server, so they have to go before it does. */
async function remove(id: string, person: Person): Promise<void> {
  await person.delete(id);
  await waitUntil('the app is gone', PAUSE_MS, async () =>
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
    floor: { name: 'git clone and node, by hand', value: of((run) => run.byHand.deploy.spawnedMs) },
  } as const;
  const answers = {
    unit: 'ms',
    value: of((run) => run.answersMs),
    floor: { name: 'git clone and node, by hand', value: of((run) => run.byHand.deploy.answersMs) },
  } as const;
  const visited = {
    unit: 'ms',
    value: of((run) => run.visitedMs),
    floor: { name: 'node by hand', value: of((run) => run.byHand.startMs) },
  } as const;
  const above = ({ value, floor }: Compared) => value - floor.value;
  return [
    { name: 'mutation to process spawned', ...spawned },
    { name: '  overhead above the floor', unit: 'ms', value: above(spawned), budget: BUDGET_MS },
    { name: 'mutation to public address answering', ...answers },
    { name: '  overhead above the floor', unit: 'ms', value: above(answers), budget: BUDGET_MS },
    {
      name: 'hibernate to process gone',
      unit: 'ms',
      value: of((run) => run.hibernatedMs),
      floor: { name: 'SIGTERM by hand', value: of((run) => run.byHand.stopMs) },
    },
    {
      name: 'wake to public address answering',
      unit: 'ms',
      value: of((run) => run.wokenMs),
      floor: { name: 'node by hand', value: of((run) => run.byHand.startMs) },
    },
    { name: 'visit of a sleeping app to its answer', ...visited },
    {
      name: '  overhead above the floor',
      unit: 'ms',
      value: above(visited),
      budget: WAKE_BUDGET_MS,
    },
    {
      name: 'roll back to public address answering',
      unit: 'ms',
      value: of((run) => run.rolledBackMs),
      floor: { name: 'node by hand', value: of((run) => run.byHand.startMs) },
      budget: ROLLBACK_BUDGET_MS,
    },
  ];
}
