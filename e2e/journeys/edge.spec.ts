import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { autoDomain } from '@longshore/contract';
import { type SteadyLoad, startSteadyLoad } from '@longshore/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, signIn, signUp } from '../support/account.ts';
import { processesOf } from '../support/app-processes.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import {
  type Longshore,
  type LongshoreOptions,
  ROOT,
  runLongshore,
  startLongshore,
} from '../support/longshore.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { untilSynced } from '../support/until-synced.ts';
import { waitFor } from '../support/wait-for.ts';

const run = promisify(execFile);
const POLL = { timeout: 30_000 };
const EMAIL = 'ada@example.com';
const REQUESTS_PER_SECOND = 100;
/** Enough requests to notice a gap. */
const MIN_REQUESTS = 150;

let folder: TemporaryFolder;
let options: LongshoreOptions;
let longshore: Longshore;
let account: Account;
let app: { id: string; name: string };

beforeAll(async () => {
  folder = await temporaryFolder();
  options = {
    dataDir: await newDataDir(folder.path),
    port: await freePort(),
    ingressPort: await freePort(),
  };
  longshore = await startLongshore(options);
  account = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(folder.path, 'hello'), HELLO_APP);
  const id = await account.deploy({ name: 'hello', url });
  await waitFor(async () => (await account.app(id)).status === 'synced');
  app = { id, name: 'hello' };
});
afterAll(async () => {
  await longshore?.stop();
  await folder?.remove();
});

function startLoad(): SteadyLoad {
  const host = autoDomain(app, 'localhost');
  return startSteadyLoad({ port: options.ingressPort, host, perSecond: REQUESTS_PER_SECOND });
}

const answered = ({ results }: SteadyLoad) => results.get('200 Ahoy') ?? 0;

/** Waits for more requests to be answered. */
async function keepsServing(load: SteadyLoad): Promise<void> {
  const before = answered(load);
  await expect.poll(() => answered(load) - before, POLL).toBeGreaterThan(MIN_REQUESTS);
}

async function expectNoneFailed(load: SteadyLoad): Promise<void> {
  await load.stop();
  expect([...load.results.keys()]).toEqual(['200 Ahoy']);
}

/** The pid of the process that keeps the edge running. */
async function edgePid(): Promise<number> {
  return Number(await readFile(join(options.dataDir, 'edge/pid'), 'utf8'));
}

/** An npm script of this checkout, for this installation. */
async function runScript(name: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('npm', ['run', '--silent', name, '--', ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LONGSHORE_DATA_DIR: options.dataDir,
      LONGSHORE_PORT: String(options.port),
      LONGSHORE_INGRESS_PORT: String(options.ingressPort),
      LONGSHORE_ENGINE: 'process',
    },
  });
  return stdout;
}

it('no request fails while the server is killed and starts again', async () => {
  const load = startLoad();
  await keepsServing(load);
  const edge = await edgePid();
  await longshore.kill();
  await keepsServing(load);
  longshore = await startLongshore(options);
  await keepsServing(load);
  await expectNoneFailed(load);
  expect(await edgePid()).toBe(edge);
});

it('no request fails while the edge is killed', async () => {
  const load = startLoad();
  await keepsServing(load);
  const edge = await edgePid();
  process.kill(edge, 'SIGKILL');
  await expect.poll(edgePid, POLL).not.toBe(edge);
  await keepsServing(load);
  await expectNoneFailed(load);
});

it('a request to a hibernated app is answered once the server is back', async () => {
  await account.edit(app.id, { sleep: { afterMinutes: 60 } });
  await untilSynced(account, app.id);
  await account.hibernate(app.id);
  await untilSynced(account, app.id);
  await longshore.kill();
  // A browser gets the waiting page, other clients wait.
  const waiting = requestApp(options, app);
  expect(await waitingPage()).toContain('This app is starting.');
  longshore = await startLongshore(options);
  expect(await waiting).toEqual({ status: 200, body: 'Ahoy' });
  account = await signIn(longshore.url, EMAIL);
  await untilSynced(account, app.id);
});

async function waitingPage(): Promise<string> {
  const headers = { host: autoDomain(app, 'localhost'), accept: 'text/html' };
  const url = { host: '127.0.0.1', port: options.ingressPort };
  return await new Promise((resolve, reject) => {
    request({ ...url, headers, agent: false }, (response) => resolve(text(response)))
      .on('error', reject)
      .end();
  });
}

it('names the installation that holds the port', async () => {
  const other = { ...options, dataDir: join(folder.path, 'other'), port: await freePort() };
  const { code, stderr } = await runLongshore(other);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `LONGSHORE_INGRESS_PORT ${options.ingressPort} is already in use by the Longshore installation with the data directory ${options.dataDir}.\n`,
  });
});

it('no request fails while another version of the edge takes over', async () => {
  await longshore.stop();
  await runScript('stop');
  const restore = await renameInstalledBuild('0000000000000000');
  await runScript('edge');
  await restore();
  await expect.poll(() => requestApp(options, app), POLL).toEqual({ status: 200, body: 'Ahoy' });
  const load = startLoad();
  await keepsServing(load);
  const edge = await edgePid();
  longshore = await startLongshore(options);
  await expect.poll(edgePid, POLL).not.toBe(edge);
  await keepsServing(load);
  await expectNoneFailed(load);
});

it('npm run stop stops the server and the edge, and the apps if asked', async () => {
  const load = await runScript('stop');
  expect(load).toMatch(/The server is stopped\..*The edge is stopped\./s);
  await expect(requestApp(options, app)).rejects.toThrow('ECONNREFUSED');
  expect(await processesOf(app.id)).not.toEqual([]);
  const all = await runScript('stop', '--apps');
  expect(all).toMatch(
    /The server was not running\..*The edge was not running\..*One app is stopped\./s,
  );
  await expect.poll(() => processesOf(app.id), POLL).toEqual([]);
  longshore = await startLongshore(options);
  await expect.poll(() => requestApp(options, app), POLL).toEqual({ status: 200, body: 'Ahoy' });
});

/** Makes the installed edge report another build. Returns a function that undoes it for the next start. */
async function renameInstalledBuild(build: string): Promise<() => Promise<void>> {
  const programs = join(options.dataDir, 'edge-program');
  const installed = (await readdir(programs)).find((name) => /^[0-9a-f]{16}$/.test(name)) ?? '';
  const keeper = join(programs, installed, 'keeper.mjs');
  const program = await readFile(keeper, 'utf8');
  expect(program).toContain(installed);
  await writeFile(keeper, program.replace(installed, build));
  return () => writeFile(keeper, program);
}
