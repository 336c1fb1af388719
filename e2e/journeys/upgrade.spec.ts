import { join } from 'node:path';
import { AUTH_PATHS, connectPath, SERVICE_PATHS, type Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, signIn, signUp } from '../support/account.ts';
import { processesOf } from '../support/app-processes.ts';
import { connectHost } from '../support/connected-host.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, type LongshoreOptions, startLongshore } from '../support/longshore.ts';
import { hasCommit, previousVersion } from '../support/previous-version.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { FAILING_BUILD, HELLO_APP } from '../support/sample-apps.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

/** The last commit without the migrations from 0013 on. */
const PREVIOUS_COMMIT = 'e07112c207134f4243fb82e4356b4467b49fd91a';
const EMAIL = 'ada@example.com';
const SETTLE_TIMEOUT_MS = 60_000;

/** Without the status messages: an upgrade may reword them. */
const HISTORY = `query History {
  resources(order_by: { created_at: asc }) { id chart_name status generation values deleted }
  releases(order_by: [{ app_id: asc }, { number: asc }]) {
    app_id number generation made_of revision phases outcome reason message started_at ended_at
  }
  events(order_by: { id: asc }) { id app_id kind details at }
}`;

describe.skipIf(!(await hasCommit(PREVIOUS_COMMIT)))('an upgrade from the previous version', () => {
  let folder: TemporaryFolder;
  let upgraded: Longshore;
  let before: Observed;
  let apps: Record<'running' | 'hibernated' | 'failed', string>;
  let session: Session;
  let integrationId: string;
  let closeHost: () => Promise<void>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const options: LongshoreOptions = {
      dataDir: join(folder.path, 'data'),
      port: await freePort(),
      ingressPort: await freePort(),
    };
    const command = await previousVersion(PREVIOUS_COMMIT, join(folder.path, 'previous'));
    const previous = await startLongshore({ ...options, command });
    const account = await signUp(previous.url, EMAIL);
    ({ session } = account);
    apps = await deployApps(account, folder.path);
    const host = await connectHost(previous.url, session);
    closeHost = () => host.close();
    before = await observe(account, apps.running);
    integrationId = integrationOf(before);
    await previous.stop();
    upgraded = await startLongshore(options);
  });

  afterAll(async () => {
    await upgraded?.stop();
    await closeHost?.();
    await folder?.remove();
  });

  it('changes no row, release or event, and restarts no app', async () => {
    const account = await signIn(upgraded.url, EMAIL);
    await waitFor(async () => (await requestByName('running')).status === 200, SETTLE_TIMEOUT_MS);
    expect(await observe(account, apps.running)).toEqual(before);
    expect(before.processes).not.toEqual([]);
  });

  it('keeps the user signed in', async () => {
    const headers = { authorization: `Bearer ${session.accessToken}` };
    const user = await fetch(authUrl(AUTH_PATHS.user), { headers });
    expect(user.status).toBe(200);
    const refreshed = await fetch(authUrl(AUTH_PATHS.token), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken: session.refreshToken }),
    });
    expect(await refreshed.json()).toMatchObject({ user: { email: EMAIL } });
  });

  it('still reads repositories with the stored token of an integration', async () => {
    const { session: now } = await signIn(upgraded.url, EMAIL);
    const path = connectPath('repositories', { id: integrationId });
    const response = await fetch(`${upgraded.url}${SERVICE_PATHS.connect[0]}${path}`, {
      headers: { authorization: `Bearer ${now.accessToken}` },
    });
    expect(response.status).toBe(200);
    expect(JSON.stringify(await response.json())).toContain('harbour/shop');
  });

  it('wakes, edits and deletes apps that the previous version deployed', async () => {
    const account = await signIn(upgraded.url, EMAIL);
    await account.edit(apps.hibernated, { instances: 1 });
    await waitFor(
      async () => (await requestByName('hibernated')).body === 'Ahoy',
      SETTLE_TIMEOUT_MS,
    );
    // By now every app has been reconciled, and the wake-up changed only its own app.
    const { releases, processes } = await observe(account, apps.running);
    expect(releases).toEqual(before.releases);
    expect(processes).toEqual(before.processes);
    await account.edit(apps.running, { env: { GREETING: 'Upgraded' } });
    await waitFor(
      async () => (await requestByName('running')).body === 'Upgraded',
      SETTLE_TIMEOUT_MS,
    );
    await account.delete(apps.running);
    await waitFor(async () => (await processesOf(apps.running)).length === 0, SETTLE_TIMEOUT_MS);
  });

  function requestByName(name: keyof typeof apps) {
    return requestApp(upgraded, { id: apps[name], name });
  }

  function authUrl(path: string): string {
    return `${upgraded.url}${SERVICE_PATHS.auth[0]}${path}`;
  }
});

type Observed = {
  resources: { id: string; chart_name: string; values: { accountName?: string } }[];
  releases: unknown[];
  events: unknown[];
  processes: number[];
};

async function observe(account: Account, runningId: string): Promise<Observed> {
  const history = await account.graphql<Omit<Observed, 'processes'>>(HISTORY);
  return { ...history, processes: await processesOf(runningId) };
}

function integrationOf({ resources }: Observed): string {
  const integration = resources.find(({ chart_name }) => chart_name === 'credential');
  if (integration === undefined) throw new Error('There is no integration.');
  return integration.id;
}

async function deployApps(account: Account, folder: string) {
  const hello = await makeRepository(join(folder, 'hello'), HELLO_APP);
  const broken = await makeRepository(join(folder, 'broken'), FAILING_BUILD);
  const projectId = await account.createProject('Storefront');
  const running = await account.deploy({ name: 'running', url: hello }, projectId);
  const hibernated = await account.deploy({ name: 'hibernated', url: hello }, projectId);
  const failed = await account.deploy({ name: 'failed', url: broken }, projectId);
  for (const id of [running, hibernated]) await hasStatus(account, id, 'synced');
  await hasStatus(account, failed, 'backoff');
  await account.hibernate(hibernated);
  await waitFor(async () => (await processesOf(hibernated)).length === 0, SETTLE_TIMEOUT_MS);
  await hasStatus(account, hibernated, 'synced');
  return { running, hibernated, failed };
}

async function hasStatus(account: Account, id: string, status: string): Promise<void> {
  await waitFor(async () => (await account.app(id)).status === status, SETTLE_TIMEOUT_MS);
}
