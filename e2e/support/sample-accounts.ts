import { join } from 'node:path';
import { UPDATE_RESOURCE } from '@longshore/contract';
import { type Account, signUp } from './account.ts';
import { connectHost } from './connected-host.ts';
import { makeRepository } from './repository.ts';
import { BLOCKED_BUILD_APP, CRASHING, HELLO_APP } from './sample-apps.ts';
import { newTide } from './tide.ts';
import { waitFor } from './wait-for.ts';

/** One user with apps in every state and a project with many apps, and one new user. */
export type SampleAccounts = {
  owner: string;
  newUser: string;
  projectId: string;
  crowdedId: string;
  emptyId: string;
  apps: Record<'ready' | 'loading' | 'failed' | 'hibernated', string>;
  /** Stops the code host of the owner's integrations. */
  stop(): Promise<void>;
};

const MANY_APPS = 200;
const VARIABLES = 100;
const BATCH_SIZE = 10;
const SETTLE_TIMEOUT_MS = 60_000;

export async function createSampleAccounts(url: string, folder: string): Promise<SampleAccounts> {
  const emails = { owner: 'ada@example.com', newUser: 'grace@example.com' };
  const account = await signUp(url, emails.owner);
  await signUp(url, emails.newUser);
  const projectId = await account.createProject('Storefront');
  const emptyId = await account.createProject(
    'Everything that belongs to the harbour and its lighthouses 01',
  );
  const hello = await makeRepository(join(folder, 'hello'), HELLO_APP);
  const crashing = await makeRepository(join(folder, 'crashing'), CRASHING);
  const waiting = await makeRepository(join(folder, 'waiting'), BLOCKED_BUILD_APP);
  const apps = {
    ready: await account.deploy({ name: 'web', url: hello }, projectId),
    hibernated: await account.deploy(
      { name: 'reports', url: hello, env: manyVariables() },
      projectId,
    ),
    failed: await account.deploy({ name: 'payments', url: crashing }, projectId),
    loading: await account.deploy(
      { name: 'search-index', url: waiting, env: { PUBLIC_TIDE: newTide() } },
      projectId,
    ),
  };
  await account.hibernate(apps.hibernated);
  await untilStatus(account, apps.ready, 'synced');
  await changeEnv(account, apps.ready, { GREETING: 'Land in sight', REGION: 'north' });
  await untilStatus(account, apps.ready, 'syncing');
  for (const id of [apps.ready, apps.hibernated]) await untilStatus(account, id, 'synced');
  await untilStatus(account, apps.failed, 'backoff');
  const crowdedId = await createManyApps(account, hello);
  const host = await connectHost(url, account.session);
  return { ...emails, projectId, emptyId, crowdedId, apps, stop: () => host.close() };
}

/** Two hundred hibernated apps with names of the maximum length. */
async function createManyApps(account: Account, url: string): Promise<string> {
  const projectId = await account.createProject('A great many');
  for (let from = 0; from < MANY_APPS; from += BATCH_SIZE) {
    const batch = Array.from({ length: BATCH_SIZE }, (_, at) => longName(from + at));
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

/** Fifty characters, the maximum. */
function longName(at: number): string {
  return `regional-inventory-synchronisation-${at}-`.padEnd(49, 'x').concat('z');
}

async function changeEnv(account: Account, id: string, env: Record<string, string>) {
  const { values } = await account.app(id);
  await account.graphql(UPDATE_RESOURCE, { id, values: { ...values, env } });
}

async function untilStatus(account: Account, id: string, status: string): Promise<void> {
  await waitFor(async () => (await account.app(id)).status === status, SETTLE_TIMEOUT_MS);
}
