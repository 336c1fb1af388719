import { join } from 'node:path';
import { UPDATE_RESOURCE } from '@longshore/contract';
import { type Account, signUp } from './account.ts';
import { CRASHING } from './broken-apps.ts';
import { connectHost } from './connected-host.ts';
import { HELLO_APP } from './hello-app.ts';
import { makeRepository } from './repository.ts';
import { waitFor } from './wait-for.ts';
import { WAITING_APP } from './waiting-app.ts';

/** Somebody with apps in every state, somebody with a great many, and somebody who has just arrived. */
export type Harbour = {
  owner: string;
  newcomer: string;
  projectId: string;
  crowdedId: string;
  emptyId: string;
  apps: Record<'ready' | 'loading' | 'failed' | 'hibernated', string>;
  /** Ends the code host where the first has accounts. */
  leave(): Promise<void>;
};

const CROWD = 200;
const VARIABLES = 100;
const AT_ONCE = 10;
const SETTLES_MS = 60_000;

export async function fillHarbour(url: string, folder: string): Promise<Harbour> {
  const people = { owner: 'ada@example.com', newcomer: 'grace@example.com' };
  const account = await signUp(url, people.owner);
  await signUp(url, people.newcomer);
  const projectId = await account.createProject('Storefront');
  const emptyId = await account.createProject(
    'Everything that belongs to the harbour and its lighthouses 01',
  );
  const hello = await makeRepository(join(folder, 'hello'), HELLO_APP);
  const crashing = await makeRepository(join(folder, 'crashing'), CRASHING);
  const waiting = await makeRepository(join(folder, 'waiting'), WAITING_APP);
  const apps = {
    ready: await account.deploy({ name: 'web', url: hello }, projectId),
    hibernated: await account.deploy(
      { name: 'reports', url: hello, env: manyVariables() },
      projectId,
    ),
    failed: await account.deploy({ name: 'payments', url: crashing }, projectId),
    loading: await account.deploy(
      { name: 'search-index', url: waiting, env: { TIDE: join(folder, 'never') } },
      projectId,
    ),
  };
  await account.hibernate(apps.hibernated);
  await untilStatus(account, apps.ready, 'synced');
  await changeEnv(account, apps.ready, { GREETING: 'Land in sight', REGION: 'north' });
  await untilStatus(account, apps.ready, 'syncing');
  for (const id of [apps.ready, apps.hibernated]) await untilStatus(account, id, 'synced');
  await untilStatus(account, apps.failed, 'backoff');
  const crowdedId = await crowd(account, hello);
  const host = await connectHost(url, account.session);
  return { ...people, projectId, emptyId, crowdedId, apps, leave: () => host.close() };
}

/** Two hundred apps that sleep, with names as long as they may be. */
async function crowd(account: Account, url: string): Promise<string> {
  const projectId = await account.createProject('A great many');
  for (let from = 0; from < CROWD; from += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, at) => longName(from + at));
    await Promise.all(
      batch.map((name) => account.deploy({ name, url, change: { instances: 0 } }, projectId)),
    );
  }
  return projectId;
}

function manyVariables(): Record<string, string> {
  const names = Array.from({ length: VARIABLES }, (_, at) => `REGIONAL_INVENTORY_OF_HARBOUR_${at}`);
  return Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
}

/** Fifty characters, the most there may be. */
function longName(at: number): string {
  return `regional-inventory-synchronisation-${at}-`.padEnd(49, 'x').concat('z');
}

async function changeEnv(account: Account, id: string, env: Record<string, string>) {
  const { values } = await account.app(id);
  await account.graphql(UPDATE_RESOURCE, { id, values: { ...values, env } });
}

async function untilStatus(account: Account, id: string, status: string): Promise<void> {
  await waitFor(async () => (await account.app(id)).status === status, SETTLES_MS);
}
