import { RETAINED_RELEASES, releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDatabaseHarness } from '../../test/reconciler/database-harness.ts';
import { appValues } from '../../test/values.ts';
import { MASKED_RELEASES } from './releases.ts';
import { removeUnusedVariables } from './remove-unused-variables.ts';

let harness: Awaited<ReturnType<typeof createDatabaseHarness>>;
let appId: string;
beforeAll(async () => {
  harness = await createDatabaseHarness();
});
afterAll(() => harness.clear());
beforeEach(async () => {
  appId = await harness.addApp();
});

/** Runs the job, two days pass, and it runs again. */
async function runTwice(): Promise<void> {
  await removeUnusedVariables(harness.db);
  await passDays(2);
  await removeUnusedVariables(harness.db);
}

async function passDays(days: number): Promise<void> {
  await harness.query(
    `update deploy.sealed_values set unused_since = unused_since - interval '${days} days'`,
  );
}

const edit = (token: string) => harness.editApp(appId, { env: { TOKEN: token } });

async function release(token: string, outcome: 'live' | 'failed'): Promise<void> {
  const values = { ...releaseValues(appValues('project')), env: { TOKEN: token } };
  const { number } = await harness.store.addRelease({
    appId,
    generation: 1,
    desiredHash: 'hash',
    values,
  });
  await harness.store.endRelease({ appId, number, outcome });
}

const countValues = async () => {
  const rows = await harness.query(`select from deploy.sealed_values where owner_id = '${appId}'`);
  return rows.length;
};

it('deletes a replaced value a day after nothing uses it any more', async () => {
  await edit('one');
  await edit('two');
  await removeUnusedVariables(harness.db);
  await removeUnusedVariables(harness.db);
  expect(await countValues()).toBe(2);
  await passDays(2);
  await removeUnusedVariables(harness.db);
  expect(await countValues()).toBe(1);
  expect((await harness.store.app(appId))?.values.env).toEqual({ TOKEN: 'two' });
});

it('keeps a value that is used again', async () => {
  await edit('one');
  await edit('two');
  await removeUnusedVariables(harness.db);
  await passDays(2);
  await edit('one');
  await runTwice();
  expect((await harness.store.app(appId))?.values.env).toEqual({ TOKEN: 'one' });
  expect(await countValues()).toBe(1);
});

it('unmarks a value that was marked while it was used again', async () => {
  await edit('one');
  await harness.query('update deploy.sealed_values set unused_since = now()');
  await passDays(2);
  await runTwice();
  expect((await harness.store.app(appId))?.values.env).toEqual({ TOKEN: 'one' });
});

it('keeps the values of releases that can still run, and of those whose lines are masked', async () => {
  for (let number = 1; number <= 2; number += 1) await release(`old ${number}`, 'live');
  for (let number = 1; number <= RETAINED_RELEASES; number += 1)
    await release(`live ${number}`, 'live');
  for (let number = 1; number <= MASKED_RELEASES; number += 1)
    await release(`failed ${number}`, 'failed');
  await release('newest', 'failed');
  await runTwice();
  expect(await countValues()).toBe(RETAINED_RELEASES + MASKED_RELEASES);
  const { live, last } = await harness.store.releases(appId);
  expect(live.map(({ values }) => values.env.TOKEN)).toContain('live 1');
  expect(last?.values.env).toEqual({ TOKEN: 'newest' });
});

it('deletes the values of a deleted app once its removal is complete', async () => {
  await edit('one');
  await harness.deleteApp(appId);
  await runTwice();
  expect(await countValues()).toBe(1);
  await harness.store.report({ appId, generation: 3, status: 'synced', message: '' });
  await runTwice();
  expect(await countValues()).toBe(0);
});
