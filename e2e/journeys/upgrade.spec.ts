import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type AppDomains,
  AUTH_PATHS,
  autoDomain,
  connectPath,
  ROLLBACK_APP,
  SERVICE_PATHS,
  type Session,
} from '@longshore/contract';
import { type SteadyLoad, startSteadyLoad } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Deployment, signIn, signUp } from '../support/account.ts';
import { processesOf } from '../support/app-processes.ts';
import { connectHost } from '../support/connected-host.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, type LongshoreOptions, startLongshore } from '../support/longshore.ts';
import { hasPreviousVersion, previousVersion } from '../support/previous-version.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp, requestHost } from '../support/request-app.ts';
import { FAILING_BUILD, FILES_APP } from '../support/sample-apps.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const EMAIL = 'ada@example.com';
const DOMAIN = 'shop.example.com';
const SETTLE_TIMEOUT_MS = 60_000;
const REQUESTS_PER_SECOND = 50;
/** The values of the variable TOKEN, in the order in which they are set. */
const TOKENS = Array.from({ length: 3 }, () => `planted-${randomUUID()}`);

/** Without the status messages: an upgrade may reword them. */
const HISTORY = `query History {
  resources(order_by: { created_at: asc }) { id chart_name status generation values deleted }
  releases(order_by: [{ app_id: asc }, { number: asc }]) {
    app_id number generation made_of revision phases outcome reason message started_at ended_at
  }
  events(order_by: { id: asc }) { id app_id kind details at }
}`;

const RUNNING = ['running', 'fallback', 'site'] as const;
type AppName = (typeof RUNNING)[number] | 'hibernated' | 'failed';

describe.skipIf(!(await hasPreviousVersion()))('an upgrade from the previous version', () => {
  let folder: TemporaryFolder;
  let dataDir: string;
  let upgraded: Longshore;
  let before: History;
  let files: string;
  let load: SteadyLoad;
  let processes: Record<string, number[]>;
  let apps: Record<AppName, string>;
  let session: Session;
  let integrationId: string;
  let closeHost: () => Promise<void>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, 'data');
    const options: LongshoreOptions = {
      dataDir,
      port: await freePort(),
      ingressPort: await freePort(),
    };
    const command = await previousVersion(join(folder.path, 'previous'));
    const previous = await startLongshore({ ...options, command });
    const account = await signUp(previous.url, EMAIL);
    ({ session } = account);
    apps = await deployApps(account, folder.path);
    const host = await connectHost(previous.url, session);
    closeHost = () => host.close();
    files = (await requestApp(previous, { id: apps.running, name: 'running' }, '/files')).body;
    before = await account.graphql<History>(HISTORY);
    integrationId = integrationOf(before);
    await previous.stop();
    processes = await runningProcesses();
    expect(await filesWith(TOKENS)).not.toEqual([]);
    upgraded = await startLongshore(options);
    await waitFor(async () => (await requestByName('running')).status === 200, SETTLE_TIMEOUT_MS);
    load = startSteadyLoad({
      port: upgraded.ingressPort,
      host: autoDomain({ id: apps.running, name: 'running' }, 'localhost'),
      perSecond: REQUESTS_PER_SECOND,
    });
  });

  afterAll(async () => {
    await load?.stop();
    await upgraded?.stop();
    await closeHost?.();
    await folder?.remove();
  });

  it('keeps the instances of all running apps, and loses no request', async () => {
    const network = (await requestByName('running')).body;
    expect(await runningProcesses()).toEqual(processes);
    await load.stop();
    expect([...load.results.keys()]).toEqual([`200 ${network}`]);
    expect((await requestHost(upgraded, DOMAIN)).body).toBe(network);
  });

  it('leaves no value of a variable in the data directory', async () => {
    expect(await filesWith(TOKENS)).toEqual([]);
  });

  it('changes no row, release, event or file of an app', async () => {
    const account = await signIn(upgraded.url, EMAIL);
    await expect.poll(() => account.graphql(HISTORY)).toEqual(before);
    expect((await requestByName('running', '/files')).body).toBe(files);
    expect(files).toMatch(/^[\w-]{36} [\w-]{36}$/);
  });

  it('serves a domain that nobody proved for 30 more days, and says so', async () => {
    const { session: now, app } = await signIn(upgraded.url, EMAIL);
    const { projectId } = (await app(apps.running)).values;
    const response = await fetch(`${upgraded.url}${SERVICE_PATHS.domains[0]}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${now.accessToken}`,
      },
      body: JSON.stringify({ projectId, appId: apps.running }),
    });
    const { domains } = (await response.json()) as AppDomains;
    expect(domains).toMatchObject([{ domain: DOMAIN, state: 'temporary' }]);
    const days = (Date.parse(domains[0]?.until ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 1);
    expect((await requestHost(upgraded, DOMAIN)).status).toBe(200);
  });

  it('keeps the user signed in', async () => {
    const headers = { authorization: `Bearer ${session.accessToken}` };
    const user = await fetch(authUrl(AUTH_PATHS.user), { headers });
    expect(user.status).toBe(200);
    // The previous version did not record when the user proved their identity.
    const tokens = await fetch(authUrl(AUTH_PATHS.pats), { headers });
    expect(await tokens.json()).toMatchObject({ error: 'reauthentication-required' });
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

  it('wakes an app without a build, edits one and rolls it back', async () => {
    const account = await signIn(upgraded.url, EMAIL);
    await account.edit(apps.hibernated, { instances: 1 });
    await waitFor(
      async () => (await requestByName('hibernated')).status === 200,
      SETTLE_TIMEOUT_MS,
    );
    expect((await requestByName('hibernated', '/token')).body).toBe(TOKENS[0]);
    const { releases } = await account.graphql<History>(HISTORY);
    expect(releases).toEqual(before.releases);

    await account.edit(apps.running, { env: { TOKEN: TOKENS[2] ?? '' } });
    await serves(account, apps.running, 3);
    expect((await requestByName('running', '/token')).body).toBe(TOKENS[2]);
    await account.graphql(ROLLBACK_APP, { id: apps.running, release: 1 });
    await serves(account, apps.running, 4);
    expect((await requestByName('running', '/token')).body).toBe(TOKENS[0]);
    // The home folder is the same; release 1 has its own folder.
    const [home = ''] = files.split(' ');
    expect((await requestByName('running', '/files')).body).toContain(home);
    expect(await filesWith(TOKENS)).toEqual([]);
  });

  it('deletes apps without a trace', async () => {
    const account = await signIn(upgraded.url, EMAIL);
    for (const id of Object.values(apps)) await account.delete(id);
    const left = async () => [
      ...(await readdir(join(dataDir, 'apps'))),
      ...(await readdir(join(dataDir, 'records'))),
      ...(await Promise.all(Object.values(apps).map(processesOf))).flat(),
    ];
    await expect.poll(left, { timeout: SETTLE_TIMEOUT_MS }).toEqual([]);
    expect(await readFile('/proc/mounts', 'utf8')).not.toContain(dataDir);
    expect(await filesWith(TOKENS)).toEqual([]);
  });

  async function runningProcesses(): Promise<Record<string, number[]>> {
    const found = RUNNING.map(async (name) => [name, await processesOf(apps[name])] as const);
    return Object.fromEntries(await Promise.all(found));
  }

  /** The files of the data directory that contain one of the texts, in any usual encoding. */
  async function filesWith(texts: string[]): Promise<string[]> {
    const searched = texts.flatMap((text) => [
      text,
      Buffer.from(text).toString('hex'),
      // The part that is the same at any position.
      ...[0, 1, 2].map((shift) =>
        Buffer.from(' '.repeat(shift) + text)
          .toString('base64')
          .slice(4, -4),
      ),
    ]);
    // Splits at zero bytes, and so skips the holes of disk images.
    const patterns = searched.flatMap((text) => ['-e', text]);
    const { stdout } = await run('grep', ['-rlzaF', ...patterns, dataDir]).catch(noMatch);
    return stdout.split('\n').filter((path) => path !== '');
  }

  function requestByName(name: AppName, path = '/') {
    return requestApp(upgraded, { id: apps[name], name }, path);
  }

  function authUrl(path: string): string {
    return `${upgraded.url}${SERVICE_PATHS.auth[0]}${path}`;
  }
});

const run = promisify(execFile);

/** grep exits with 1 if it finds nothing, and with 2 if a file vanished. */
function noMatch(error: { code?: unknown; stdout?: string }): { stdout: string } {
  if (error.code !== 1 && error.code !== 2) throw error;
  return { stdout: error.stdout ?? '' };
}

type History = {
  resources: { id: string; chart_name: string; values: { accountName?: string } }[];
  releases: { app_id: string; number: number; outcome: string }[];
  events: unknown[];
};

function integrationOf({ resources }: History): string {
  const integration = resources.find(({ chart_name }) => chart_name === 'credential');
  if (integration === undefined) throw new Error('There is no integration.');
  return integration.id;
}

async function deployApps(account: Account, folder: string): Promise<Record<AppName, string>> {
  const url = await makeRepository(join(folder, 'files'), FILES_APP);
  const broken = await makeRepository(join(folder, 'broken'), FAILING_BUILD);
  const page = await makeRepository(join(folder, 'site'), { 'index.html': 'Ahoy' });
  const projectId = await account.createProject('Storefront');
  const deploy = (name: AppName, values: Partial<Deployment> = {}) =>
    account.deploy({ name, url, ...values }, projectId);
  const env = { TOKEN: TOKENS[0] ?? '' };
  const apps = {
    running: await deploy('running', { env, change: { publicAccess: { domain: DOMAIN } } }),
    fallback: await deploy('fallback', { env }),
    site: await deploy('site', { url: page }),
    hibernated: await deploy('hibernated', { env }),
    failed: await deploy('failed', { env, url: broken }),
  };
  for (const name of [...RUNNING, 'hibernated'] as const) await serves(account, apps[name], 1);
  await hasStatus(account, apps.failed, 'backoff');
  await account.edit(apps.running, { env: { TOKEN: TOKENS[1] ?? '' } });
  await serves(account, apps.running, 2);
  const { values } = await account.app(apps.fallback);
  await account.edit(apps.fallback, { source: { ...values.source, url: broken } });
  await hasStatus(account, apps.fallback, 'backoff');
  await account.hibernate(apps.hibernated);
  await waitFor(async () => (await processesOf(apps.hibernated)).length === 0, SETTLE_TIMEOUT_MS);
  await hasStatus(account, apps.hibernated, 'synced');
  return apps;
}

/** Waits until a release is live and nothing else is left to do. */
async function serves(account: Account, id: string, number: number): Promise<void> {
  const isLive = async () => {
    const { releases } = await account.graphql<History>(HISTORY);
    return releases.some((it) => it.app_id === id && it.number === number && it.outcome === 'live');
  };
  await waitFor(isLive, SETTLE_TIMEOUT_MS);
  await hasStatus(account, id, 'synced');
}

async function hasStatus(account: Account, id: string, status: string): Promise<void> {
  await waitFor(async () => (await account.app(id)).status === status, SETTLE_TIMEOUT_MS);
}
