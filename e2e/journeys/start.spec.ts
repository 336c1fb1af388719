import { spawn } from 'node:child_process';
import { access, chown, mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fillSignUp } from '../pages/sign-up-page.ts';
import { type Account, signIn, signUp } from '../support/account.ts';
import { processesOf } from '../support/app-processes.ts';
import { freePort } from '../support/free-port.ts';
import {
  type Longshore,
  type LongshoreOptions,
  ROOT,
  runLongshore,
  startLongshore,
  startScript,
} from '../support/longshore.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { BLOCKED_BUILD_APP, HELLO_APP } from '../support/sample-apps.ts';
import { postgresPid, processesOn } from '../support/server-processes.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { letTideIn, newTide } from '../support/tide.ts';
import {
  checkoutForUnprivilegedUser,
  isRoot,
  unprivilegedUser,
} from '../support/unprivileged-user.ts';
import { waitFor } from '../support/wait-for.ts';

const POLL = { timeout: 30_000 };

const browser = sharedBrowser();
let folder: TemporaryFolder;
let repository: string;
let running: Longshore | undefined;

beforeAll(async () => {
  folder = await temporaryFolder();
  repository = await makeRepository(join(folder.path, 'repository'), HELLO_APP);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(() => folder.remove());

async function start(options: LongshoreOptions): Promise<Longshore> {
  running = await startLongshore(options);
  return running;
}

async function optionsOn(name: string): Promise<LongshoreOptions> {
  const dataDir = join(folder.path, name);
  return { dataDir, port: await freePort(), ingressPort: await freePort() };
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

/** The messages of the log: without a terminal, every line is JSON. */
function messagesOf(longshore: Longshore): string[] {
  const lines = longshore.output().trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

/** The set-up code from the log. */
function setupCodeOf(longshore: Longshore): string {
  const message = new RegExp(
    `^To create the first account, open ${longshore.url}/signup and enter the set-up code (\\S{14})$`,
  );
  const codes = messagesOf(longshore).flatMap((text) => message.exec(text)?.[1] ?? []);
  return codes[0] ?? 'none was printed';
}

async function configOf(url: string): Promise<string> {
  return await (await fetch(`${url}/config.json`)).text();
}

/** Deploys the hello app and returns it when it is ready. */
async function deployHello(account: Account): Promise<{ id: string; name: string }> {
  const id = await account.deploy({ name: 'hello', url: repository });
  await expect.poll(() => account.app(id), POLL).toMatchObject({ status: 'synced' });
  return { id, name: 'hello' };
}

describe('start, stop and crash recovery', () => {
  const email = 'ada@example.com';
  let options: LongshoreOptions;
  let app: { id: string; name: string };
  let appPids: number[];

  beforeAll(async () => {
    options = await optionsOn('life');
  });
  afterAll(async () => {
    const longshore = await startLongshore(options);
    const ada = await signIn(longshore.url, email);
    await ada.delete(app.id);
    await waitFor(async () => (await processesOf(app.id)).length === 0);
    await longshore.stop();
  });

  async function expectNothingLost(longshore: Longshore): Promise<void> {
    const ada = await signIn(longshore.url, email);
    await expect.poll(() => ada.app(app.id), POLL).toMatchObject({ status: 'synced' });
    expect(await processesOf(app.id)).toEqual(appPids);
    await expect
      .poll(() => requestApp(longshore, app), POLL)
      .toEqual({ status: 200, body: 'Ahoy' });
  }

  async function expectStopped(): Promise<void> {
    await expect.poll(() => processesOn(options.dataDir), POLL).toEqual([]);
    expect(await exists(join(options.dataDir, 'server.lock'))).toBe(false);
    expect(await exists(join(options.dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
    expect(await processesOf(app.id)).toEqual(appPids);
  }

  it('prints its URL, runs an app and leaves it running on stop', async () => {
    const longshore = await start(options);
    expect(messagesOf(longshore)).toContain(`Longshore is ready: http://localhost:${options.port}`);
    app = await deployHello(await signUp(longshore.url, email));
    appPids = await processesOf(app.id);
    expect(appPids).not.toEqual([]);
    expect(await longshore.stop()).toBe(0);
    await expectStopped();
  });

  it.each([
    [['SIGINT']],
    [['SIGINT', 'SIGINT']],
    [['SIGTERM', 'SIGINT', 'SIGTERM']],
    [['SIGHUP']],
  ] as [NodeJS.Signals[]][])(
    'restarts with all data and apps, and stops on %j',
    async (signals) => {
      const longshore = await start(options);
      await expectNothingLost(longshore);
      expect(await longshore.stop(...signals)).toBe(0);
      await expectStopped();
    },
  );

  it('loses nothing when the server is killed', async () => {
    const longshore = await start(options);
    await signUp(longshore.url, 'just-before@example.com');
    await longshore.kill();
    const restarted = await start(options);
    await signIn(restarted.url, 'just-before@example.com');
    await expectNothingLost(restarted);
  });

  it('loses nothing when the server and its database are killed', async () => {
    const longshore = await start(options);
    await signUp(longshore.url, 'both-killed@example.com');
    const pid = await postgresPid(options.dataDir);
    await longshore.kill();
    process.kill(pid, 'SIGKILL');
    const restarted = await start(options);
    await signIn(restarted.url, 'both-killed@example.com');
    await expectNothingLost(restarted);
  });

  it('restarts its database when only the database is killed', async () => {
    const longshore = await start(options);
    process.kill(await postgresPid(options.dataDir), 'SIGKILL');
    await expect
      .poll(() => signIn(longshore.url, email).then(() => 'signed in', String), POLL)
      .toBe('signed in');
    await expectNothingLost(longshore);
    expect(await longshore.stop()).toBe(0);
    await expectStopped();
  });

  it('ignores pid files that name a running process of another program', async () => {
    const otherProcess = spawn('sleep', ['600'], { stdio: 'ignore' });
    const pidFile = `${otherProcess.pid}\n${options.dataDir}/postgres/data\n1\n5432\n\n\n\nready   \n`;
    await writeFile(join(options.dataDir, 'postgres/data/postmaster.pid'), pidFile);
    await writeFile(join(options.dataDir, 'server.lock'), `${otherProcess.pid} 1 another-boot`);
    await expectNothingLost(await start(options));
    expect(otherProcess.exitCode ?? otherProcess.signalCode).toBeNull();
    otherProcess.kill();
  });

  it('refuses a second server on the same data and keeps running', async () => {
    const longshore = await start(options);
    const { dataDir } = options;
    const other = await runLongshore({ ...(await optionsOn('life')), dataDir });
    expect(other).toEqual({
      code: 1,
      stdout: '',
      stderr: `Another Longshore already uses LONGSHORE_DATA_DIR ${dataDir}.\n`,
    });
    await expectNothingLost(longshore);
  });

  it('keeps running when its output pipes are closed', async () => {
    const longshore = await start(options);
    longshore.closeOutput();
    for (let request = 0; request < 20; request += 1) await fetch(`${longshore.url}/healthz`);
    await expectNothingLost(longshore);
    expect(await longshore.stop()).toBe(0);
    await expectStopped();
  });
});

it('uses the configured database', async () => {
  const owner = await optionsOn('owner');
  const longshore = await start(owner);
  await signUp(longshore.url, 'ada@example.com');
  // Its database keeps running without a server.
  await longshore.kill();
  const socket = encodeURIComponent(join(owner.dataDir, 'postgres/run'));
  const DATABASE_URL = `postgres://longshore@localhost/postgres?host=${socket}`;
  const guest = await start({ ...(await optionsOn('guest')), env: { DATABASE_URL } });
  const { session } = await signIn(guest.url, 'ada@example.com');
  expect(session.user.email).toBe('ada@example.com');
  expect(await guest.stop()).toBe(0);
  expect(await exists(join(folder.path, 'guest/postgres'))).toBe(false);
  const restarted = await start(owner);
  await signIn(restarted.url, 'ada@example.com');
});

it.each(['Preparing the database', 'Longshore is ready'])(
  'stops cleanly at "%s"',
  async (moment) => {
    const options = await optionsOn(moment.replaceAll(' ', '-'));
    const { code, stderr } = await runLongshore(options, { at: moment, signal: 'SIGTERM' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect.poll(() => processesOn(options.dataDir), POLL).toEqual([]);
    expect(await exists(join(options.dataDir, 'server.lock'))).toBe(false);
  },
);

it('starts after it was killed while initializing its database', async () => {
  const options = await optionsOn('cut-off');
  await runLongshore(options, { at: 'Preparing the database', signal: 'SIGKILL' });
  const longshore = await start(options);
  await signUp(longshore.url, 'ada@example.com');
});

it('stops during a build and repeats the build after the next start', async () => {
  const options = await optionsOn('building');
  const longshore = await start(options);
  const ada = await signUp(longshore.url, 'ada@example.com');
  const tide = newTide();
  const url = await makeRepository(join(folder.path, 'waiting'), BLOCKED_BUILD_APP);
  const id = await ada.deploy({ name: 'waiting', url, env: { PUBLIC_TIDE: tide } });
  const message = async () => (await ada.app(id)).message;
  await expect.poll(message, POLL).toBe('Reconcile: building');
  expect(await longshore.stop()).toBe(0);
  await expect.poll(() => processesOn(options.dataDir), POLL).toEqual([]);
  expect(await processesOf(id)).toEqual([]);
  await start(options);
  await letTideIn(id, tide);
  await expect.poll(() => ada.app(id), POLL).toMatchObject({ status: 'synced' });
  await ada.delete(id);
  await expect.poll(() => processesOf(id), POLL).toEqual([]);
});

it('starts and stops through npm', async () => {
  const command = { argv: ['npm', 'start'] as const, cwd: ROOT };
  const options = { ...(await optionsOn('npm')), command };
  const longshore = await start(options);
  expect(longshore.output()).toContain(`"Longshore is ready: ${longshore.url}"`);
  expect(await longshore.stop('SIGINT')).toBe(0);
  await expect.poll(() => processesOn(options.dataDir), POLL).toEqual([]);
});

it('requires the printed set-up code for the first account if other machines can reach it', async () => {
  const env = { LONGSHORE_HOST: '0.0.0.0', LONGSHORE_LOG_LEVEL: 'debug' };
  const options = { ...(await optionsOn('exposed')), env };
  const before = setupCodeOf(await start(options));
  await running?.stop();
  const longshore = await start(options);
  const { url } = longshore;
  const code = setupCodeOf(longshore);
  expect(code).not.toBe(before);
  await expect(signUp(url, 'eve@example.com')).rejects.toThrow('setup-code-required');
  const configText = await configOf(url);
  expect(JSON.parse(configText)).toMatchObject({ needsSetupCode: true });
  expect(configText).not.toContain(code);

  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.getByRole('link', { name: 'Create the first one' }).click();
  await page.getByLabel('Set-up code').waitFor();
  await fillSignUp(page, 'ada@example.com');
  await page.getByLabel('Set-up code').fill(before);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.getByText('Invalid set-up code').first().waitFor();
  await page.getByLabel('Set-up code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.waitForURL(`${url}/dashboard`);

  expect(JSON.parse(await configOf(url))).toMatchObject({ needsSetupCode: false });
  await signUp(url, 'bob@example.com');
  expect(longshore.output().split(code)).toHaveLength(2);
  await longshore.stop();
  const again = await start(options);
  expect(again.output()).not.toContain('set-up code');
  await signIn(again.url, 'bob@example.com');
});

it('runs apps of the first account only when started by an unprivileged user', async () => {
  const checkout = await checkoutForUnprivilegedUser(join(folder.path, 'checkout'));
  const options = await optionsOn('ordinary');
  await mkdir(options.dataDir);
  if (unprivilegedUser) await chown(options.dataDir, unprivilegedUser.uid, unprivilegedUser.gid);
  const longshore = await start({
    ...options,
    identity: unprivilegedUser,
    command: startScript(checkout),
    env: { HOME: '/nonexistent' },
  });
  const first = await signUp(longshore.url, 'first@example.com');
  const second = await signUp(longshore.url, 'second@example.com');
  const app = await deployHello(first);
  expect(await requestApp(longshore, app)).toEqual({ status: 200, body: 'Ahoy' });
  await expect(second.deploy({ name: 'second', url: repository })).rejects.toThrow(
    /^Only operators may deploy here.* Longshore does not run as root\./,
  );
  await first.delete(app.id);
  await expect.poll(() => processesOf(app.id), POLL).toEqual([]);
});

it.skipIf(!isRoot)('runs apps when the checkout is not accessible to their users', async () => {
  const closed = join(folder.path, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const options = { ...(await optionsOn('closed')), dataDir: join(closed, 'data') };
  const longshore = await start(options);
  const home = await readlink(join(options.dataDir, 'home'));
  expect(messagesOf(longshore)).toContain(
    `Database and apps are stored in ${home}, because ${closed} is not accessible for the users they run as.`,
  );
  const ada = await signUp(longshore.url, 'ada@example.com');
  const app = await deployHello(ada);
  expect(await requestApp(longshore, app)).toEqual({ status: 200, body: 'Ahoy' });
  await ada.delete(app.id);
  await expect.poll(() => processesOf(app.id), POLL).toEqual([]);
  await longshore.stop();
  await rm(home, { recursive: true });
});
