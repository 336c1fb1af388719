import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import {
  type FinishedRun,
  type LongshoreOptions,
  ROOT,
  runLongshore,
  startInTerminal,
  startScript,
} from '../support/longshore.ts';
import { processesOn } from '../support/server-processes.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { checkoutForUnprivilegedUser, unprivilegedUser } from '../support/unprivileged-user.ts';

let folder: TemporaryFolder;
let options: LongshoreOptions;
const portHolders: Server[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  options = {
    dataDir: join(folder.path, 'data'),
    port: await freePort(),
    ingressPort: await freePort(),
  };
});
afterEach(() => {
  for (const portHolder of portHolders.splice(0)) portHolder.close();
});
afterAll(() => folder.remove());

/** Expects one message for the operator, exit code 1 and no process left. */
async function expectRefusal(run: FinishedRun, message: string | RegExp): Promise<void> {
  const { code, stdout, stderr } = run;
  expect(stderr).toMatch(/^[^\n]+\.\n$/);
  expect(stderr.trimEnd()).toMatch(message);
  expect(stdout).not.toContain('Longshore is ready');
  expect(code).toBe(1);
  // The output guard finds no running app and exits.
  await expect.poll(() => processesOn(folder.path)).toEqual([]);
}

/** A port that is in use by another program. */
async function takenPort(): Promise<number> {
  const port = await freePort();
  const portHolder = createServer();
  portHolders.push(portHolder);
  await new Promise<void>((resolve) => portHolder.listen(port, '127.0.0.1', resolve));
  return port;
}

describe('an invalid value is named in the error', () => {
  it.each([
    ['LONGSHORE_PORT', 'eighty', 'LONGSHORE_PORT must be a whole number between 1 and 65535'],
    ['LONGSHORE_PUBLIC_URL', 'console.example.com', 'LONGSHORE_PUBLIC_URL must be an http://'],
    ['DATABASE_URL', 'mysql://root:hunter2@localhost', 'DATABASE_URL must start with postgres://'],
    ['LONGSHORE_PUBLIC_IP', 'example.com', 'LONGSHORE_PUBLIC_IP must be an IP address'],
    ['LONGSHORE_ACCESS_TOKEN_TTL', '15m', 'LONGSHORE_ACCESS_TOKEN_TTL must be a whole number'],
    ['LONGSHORE_ALLOW_LOCAL_SOURCES', 'yes', 'LONGSHORE_ALLOW_LOCAL_SOURCES must be true or false'],
    ['LONGSHORE_TIERS', '/no/such/file', 'LONGSHORE_TIERS must be a file that can be read'],
    ['LONGSHORE_LOG_FORMAT', 'xml', 'LONGSHORE_LOG_FORMAT must be auto or json or text'],
    ['LONGSHORE_HOST', 'no such host', 'LONGSHORE_HOST is not an address of this machine'],
    ['LONGSHORE_HOST', '192.0.2.1', 'LONGSHORE_HOST is not an address of this machine'],
  ])('%s=%s', async (name, value, message) => {
    const run = await runLongshore({ ...options, env: { [name]: value } });
    await expectRefusal(run, message);
    expect(run.stderr).not.toContain('hunter2');
  });
});

describe('a port in use is named in the error', () => {
  it("the console's port", async () => {
    const port = await takenPort();
    const run = await runLongshore({ ...options, port });
    await expectRefusal(run, `LONGSHORE_PORT ${port} is already in use by another program.`);
  });

  it('on a terminal, below the steps before', async () => {
    const port = await takenPort();
    const run = startInTerminal({ ...options, port, env: { NO_COLOR: '1' } });
    expect(await run.exited()).toBe(1);
    const screen = run.screen().join('\n');
    expect(screen).toMatch(/✓ Start engine +[\d.]+ m?s\n/);
    expect(screen).toMatch(
      new RegExp(`\nLONGSHORE_PORT ${port} is already in use by another program.\n$`),
    );
  });

  it('the ingress port', async () => {
    const ingressPort = await takenPort();
    const run = await runLongshore({ ...options, ingressPort });
    await expectRefusal(
      run,
      new RegExp(
        `^LONGSHORE_INGRESS_PORT ${ingressPort} is already in use by process ${process.pid} \\(.+\\)\\.$`,
      ),
    );
  });

  it('both if they are the same', async () => {
    const run = await runLongshore({ ...options, ingressPort: options.port });
    await expectRefusal(run, 'LONGSHORE_INGRESS_PORT must differ from LONGSHORE_PORT.');
  });
});

describe('an unusable data directory is named in the error', () => {
  let checkout: string;
  beforeAll(async () => {
    checkout = await checkoutForUnprivilegedUser(join(folder.path, 'checkout'));
  });

  it('a file', async () => {
    const dataDir = join(folder.path, 'file');
    await writeFile(dataDir, '');
    const run = await runLongshore({ ...options, dataDir });
    await expectRefusal(run, `LONGSHORE_DATA_DIR ${dataDir} cannot be used`);
  });

  it('below a file', async () => {
    const dataDir = join(folder.path, 'file', 'data');
    const run = await runLongshore({ ...options, dataDir });
    await expectRefusal(run, `LONGSHORE_DATA_DIR ${dataDir} cannot be used`);
  });

  it.each([
    ['a folder of another user', ''],
    ['below a folder of another user', 'data'],
  ])('%s', async (_, name) => {
    const readOnly = join(folder.path, `read-only-${name}`);
    await mkdir(readOnly, { mode: 0o555 });
    const dataDir = join(readOnly, name);
    const command = startScript(checkout);
    const run = await runLongshore({ ...options, dataDir, command, identity: unprivilegedUser });
    await expectRefusal(run, `LONGSHORE_DATA_DIR ${dataDir.replace(/\/$/, '')} cannot be used`);
  });
});

describe('an unusable database is named in the error without its password', () => {
  const PASSWORD = 'hunter2-must-stay-secret';

  it.each([
    ['on a closed port', async () => `127.0.0.1:${await freePort()}/db`],
    ['on a port that never responds', async () => `127.0.0.1:${await takenPort()}/db`],
    ['on an unknown host', async () => 'database.invalid/db'],
    ['on an invalid port', async () => 'localhost:99999/db'],
  ])('%s', async (_, databaseAddress) => {
    const DATABASE_URL = `postgres://longshore:${PASSWORD}@${await databaseAddress()}`;
    const run = await runLongshore({ ...options, env: { DATABASE_URL } });
    await expectRefusal(run, 'Cannot connect to the database in DATABASE_URL');
    expect(run.stdout + run.stderr).not.toContain(PASSWORD);
  });
});

it('lists every variable with --help and starts nothing', async () => {
  const run = await runLongshore({ ...options, command: startScript(ROOT, '--help') });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('Environment variables:');
  expect(run.stdout).toMatch(/LONGSHORE_PORT +Port of the console \(default 1337\)/);
  expect(await processesOn(folder.path)).toEqual([]);
});
