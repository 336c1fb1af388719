import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type AppDomains, autoDomain, proofNameOf } from '@longshore/contract';
import {
  type ChartBench,
  createChartBench,
  missingForCluster,
} from '@longshore/server/testing/chart';
import { startDnsServer } from '@longshore/server/testing/dns-server';
import { startGitHost } from '@longshore/server/testing/git-host';
import { eventually } from '@longshore/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Account, signIn } from '../support/account.ts';
import { freePort } from '../support/free-port.ts';
import { type LongshoreOptions, ROOT, runLongshore, startLongshore } from '../support/longshore.ts';
import { newEmail, PASSWORD } from '../support/nhost.ts';
import { connectOwnClient } from '../support/own-client.ts';
import { requestHost } from '../support/request-app.ts';
import { FAILING_BUILD, HELLO_APP } from '../support/sample-apps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { untilSynced } from '../support/until-synced.ts';
import {
  createApp,
  createSecret,
  INSTALL,
  listPods,
  SERVERS,
  SERVES,
  setS3,
  signUpOperator,
  uploadFile,
} from './installation.ts';
import { get } from './steady-requests.ts';

const CREATE_MS = 900_000;
/** Builds get only the processor time that others leave. */
const BUILT = { timeout: 400_000, interval: 500 };
const HELLO = "export default () => new Response('ahoy');";
const DOMAIN = 'www.harbour.example';
const BASE_DOMAIN = 'apps.test';

describe.skipIf(missingForCluster.length > 0)('an installation becomes one of two servers', () => {
  let bench: ChartBench;
  let s3: string[];
  beforeAll(async () => {
    bench = await createChartBench();
    await bench.kubectl('create', 'namespace', `${bench.prefix}-console`);
    const { accessKeyId, secretAccessKey, ...settings } = await bench.objectStore();
    await createSecret(bench, 'own-s3', {
      'access-key-id': accessKeyId,
      'secret-access-key': secretAccessKey,
    });
    s3 = setS3({ ...settings, existingSecret: 'own-s3' });
  }, CREATE_MS);
  afterEach(() => bench?.helm('uninstall', 'longshore', '--wait'), 120_000);
  afterAll(() => bench?.stop(), 120_000);

  it('from one server of the chart', { timeout: CREATE_MS }, async () => {
    const { kubectl, helm, values } = bench;
    const keys = { 'edge-key': random(), 'postgres-password': random(), 'master-key': random() };
    await createSecret(bench, 'own-keys', keys);
    await kubectl('create', 'configmap', 'functions', `--from-literal=hello.ts=${HELLO}`);
    const own = ['--set', 'keys.existingSecret=own-keys,functions.configMap=functions'];
    await helm('install', 'longshore', ...values('1'), ...own, ...INSTALL);
    const { client, email, projectId } = await signUpOperator(bench);
    const app = await createApp(client, bench, { name: 'hello', projectId, script: SERVES });
    await eventually(async () => (await get(app)) === 'hello\n', 'the app');
    const fileId = await uploadFile(client);

    const upgrade = (change: string) =>
      helm('upgrade', 'longshore', ...values('1'), ...own, ...s3, '--set', change, ...INSTALL);
    await expect(upgrade('server.replicas=2')).rejects.toThrow(
      'First set server.replicas to 1 and server.state to shared',
    );
    await upgrade('server.state=shared');
    const log = () => kubectl('logs', ...SERVERS, '--tail=-1');
    const isCopied = async () => (await log()).includes('the object store has all files');
    await eventually(isCopied, 'the copied files');
    await upgrade('server.replicas=2');

    const servers = await listPods(bench, ...SERVERS);
    expect(servers).toHaveLength(2);
    for (const { address } of servers) {
      const url = `http://${address}:1337`;
      await expectLetter({ url, email, fileId });
      const response = await fetch(`${url}/v1/functions/hello`, { method: 'POST' });
      expect(await response.text()).toBe('ahoy');
    }
    await eventually(async () => (await get(app)) === 'hello\n', 'the app');
  });

  it('from one machine, whose apps are built again', { timeout: CREATE_MS }, async ({ skip }) => {
    const { helm, values, urlOf } = bench;
    if (!bench.canBuild) skip('No base images for builds');
    const machine = await startMachine(bench);
    const { account, apps, longshore, options, personalAccessToken, fileId, email } = machine;
    await longshore.stop();

    const databaseUrl = await bench.database();
    const masterKey = random();
    const file = join(options.dataDir, '../cluster.env');
    const store = await bench.objectStore();
    const lines = [
      `DATABASE_URL='${databaseUrl}'`,
      `LONGSHORE_MASTER_KEY='${masterKey}'`,
      `LONGSHORE_S3_ENDPOINT='${store.endpoint}'`,
      `LONGSHORE_S3_BUCKET='${store.bucket}'`,
      `LONGSHORE_S3_PREFIX='${store.prefix}'`,
      `LONGSHORE_S3_ACCESS_KEY_ID='${store.accessKeyId}'`,
      `LONGSHORE_S3_SECRET_ACCESS_KEY='${store.secretAccessKey}'`,
    ];
    await writeFile(file, lines.join('\n'), { mode: 0o600 });
    const node = join(ROOT, 'node_modules/.bin/node');
    const argv = [node, join(ROOT, 'scripts/move.mjs'), file] as const;
    const moved = await runLongshore({ ...options, command: { argv, cwd: ROOT } });
    expect(moved).toMatchObject({ code: 0, stderr: '' });

    await createSecret(bench, 'moved-database', { url: databaseUrl });
    const keys = { 'edge-key': random(), 'master-key': masterKey };
    await createSecret(bench, 'moved-keys', keys);
    const own = 'keys.existingSecret=moved-keys,database.existingSecret=moved-database';
    const several = ['--set', `${own},server.replicas=2`];
    await helm('install', 'longshore', ...values('1'), ...several, ...s3, ...INSTALL);

    const url = await urlOf('longshore-server');
    const edge = await urlOf('longshore-edge');
    const bodyOf = (host: string) => get({ url: edge, host }).catch(String);
    await expect.poll(() => bodyOf(DOMAIN), BUILT).toBe('a secret greeting');
    await expect.poll(() => bodyOf(hostOf(apps, 'hello')), BUILT).toBe('a secret greeting');
    await expect.poll(() => bodyOf(hostOf(apps, 'sample')), BUILT).toContain('Your app is live');
    // Its newest release had failed, and the one before served.
    await expect.poll(() => bodyOf(hostOf(apps, 'older')), BUILT).toBe('Ahoy');
    const again = await signIn(url, email, PASSWORD);
    expect((await again.app(apps.older)).status).toBe('backoff');
    expect((await again.app(apps.asleep)).values.instances).toBe(0);
    expect(await listPods(bench, '-A', '-l', `dev.longshore/app=${apps.asleep}`)).toEqual([]);
    // The machine serves until DNS points to the cluster.
    expect((await requestHost(longshore, DOMAIN)).body).toBe('a secret greeting');

    const { refreshToken } = account.session;
    await post(`${url}/v1/auth/signin/pat`, { personalAccessToken });
    await post(`${url}/v1/auth/token`, { refreshToken });
    await expectLetter({ url, email, fileId });
  });
});

type Change = { publicAccess?: object } & Record<string, unknown>;

type Apps = Record<'hello' | 'asleep' | 'older' | 'sample', string>;

/** A machine without a cluster. Both can fetch its repository. */
async function startMachine({ registry }: ChartBench) {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const dns = await startDnsServer();
  onTestFinished(dns.close);
  const repository = await serveRepository(registry.host.replace(/:\d+$/, ''));
  const options: LongshoreOptions = {
    dataDir: join(folder.path, 'data'),
    port: await freePort(),
    ingressPort: await freePort(),
    env: {
      LONGSHORE_PUBLIC_URL: 'http://console.test',
      LONGSHORE_BASE_DOMAIN: BASE_DOMAIN,
      LONGSHORE_DNS_SERVERS: dns.address,
    },
  };
  const longshore = await startLongshore(options, AbortSignal.timeout(400_000));
  const url = `http://127.0.0.1:${options.port}`;
  const setupCode = /set-up code ([-A-Z0-9]+)/.exec(longshore.output())?.[1] ?? '';
  const email = newEmail();
  const client = connectOwnClient(url);
  await client.auth.signUp({ email, password: PASSWORD, setupCode });
  const fileId = await uploadFile(client);
  const account = await signIn(url, email, PASSWORD);
  const projectId = await account.createProject('harbour');
  const deploy = (name: string, { publicAccess = {}, ...change }: Change = {}) =>
    account.deploy(
      {
        name,
        url: repository,
        change: { ...change, publicAccess: { baseDomain: BASE_DOMAIN, ...publicAccess } },
      },
      projectId,
    );
  const apps: Apps = {
    hello: await deploy('hello', {
      env: { GREETING: 'a secret greeting' },
      publicAccess: { domains: [DOMAIN] },
    }),
    asleep: await deploy('asleep'),
    older: await deploy('older'),
    sample: await deploy('sample', { source: { url: 'upload:' }, instances: 0 }),
  };
  await post(`${url}/v1/apps/${apps.sample}/sample`, {}, account);
  for (const id of Object.values(apps)) await untilSynced(account, id);
  await account.hibernate(apps.asleep);
  const bodyOf = async (host: string) => (await requestHost(longshore, host)).body;
  await expect.poll(() => bodyOf(hostOf(apps, 'sample')), BUILT).toContain('Your app is live');
  const { source } = (await account.app(apps.older)).values;
  await account.edit(apps.older, { source: { ...source, ref: 'broken' } });
  const statusOfOlder = async () => (await account.app(apps.older)).status;
  await expect.poll(statusOfOlder, BUILT).toBe('backoff');
  await untilSynced(account, apps.asleep);

  const check = () =>
    post<AppDomains>(
      `${url}/v1/domains/check`,
      { projectId, appId: apps.hello, domain: DOMAIN },
      account,
    );
  dns.set(`TXT ${proofNameOf(DOMAIN)}`, (await check()).token);
  await expect.poll(async () => (await check()).domains[0]?.state, BUILT).toBe('proved');
  await expect.poll(() => bodyOf(DOMAIN), BUILT).toBe('a secret greeting');
  expect(await bodyOf(hostOf(apps, 'older'))).toBe('Ahoy');
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { personalAccessToken } = await post<{ personalAccessToken: string }>(
    `${url}/v1/auth/pat`,
    { expiresAt },
    account,
  );
  return { longshore, options, account, apps, email, fileId, personalAccessToken };
}

/** Its URL. The branch `broken` cannot be built. */
async function serveRepository(address: string): Promise<string> {
  const git = await startGitHost({ mayRead: () => true });
  onTestFinished(git.stop);
  await git.push('hello', HELLO_APP);
  await git.push('hello', FAILING_BUILD, { branch: 'broken' });
  const server = createServer(git.answer).listen(0, address);
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${address}:${(server.address() as AddressInfo).port}/hello.git`;
}

async function expectLetter(file: { url: string; email: string; fileId: string }): Promise<void> {
  const client = connectOwnClient(file.url);
  await client.auth.signIn({ email: file.email, password: PASSWORD });
  const downloaded = await client.files.download(file.fileId);
  expect(downloaded.ok && (await downloaded.data.text())).toBe('a letter');
}

function hostOf(apps: Apps, name: keyof Apps): string {
  return autoDomain({ id: apps[name], name }, BASE_DOMAIN);
}

function random(): string {
  return randomBytes(24).toString('hex');
}

async function post<Body>(url: string, body: unknown, account?: Account): Promise<Body> {
  const authorization = account && `Bearer ${account.session.accessToken}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}
