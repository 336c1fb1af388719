import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, signIn, signUp } from '../support/account.ts';
import { processesOf } from '../support/app-processes.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { rawGet, rawRequest } from '../support/raw-request.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import {
  CRASHING,
  CRASHING_LATER,
  FAILING_BUILD,
  HELLO_APP,
  NOTHING,
  SILENT,
} from '../support/sample-apps.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const PASSWORD = 'sentinel-of-the-password';
const ENV_VALUE = 'sentinel-of-a-variable';
/** The engine waits up to a minute for a port to respond. */
const POLL = { timeout: 90_000 };
/** More than the 64 MiB that the server discards at most after its response. */
const ENDLESS_BYTES = 256_000_000;

let folder: TemporaryFolder;
let port: number;
let longshore: Longshore;
let ada: Account;
/** Deployments start before the first test, because some take long to fail. */
const apps: Record<string, { id: string; name: string }> = {};
let slowRequest: Promise<string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  port = await freePort();
  longshore = await startLongshore({
    dataDir: await newDataDir(folder.path),
    port,
    ingressPort: await freePort(),
    env: { LONGSHORE_LOG_LEVEL: 'debug' },
  });
  slowRequest = rawRequest(port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  ada = await signUp(longshore.url, 'ada@example.com', PASSWORD);
  await deploy('silent', SILENT);
  await deploy('crashing-later', CRASHING_LATER);
  await deploy('crashing', CRASHING);
  await deploy('failing-build', FAILING_BUILD);
  await deploy('nothing', NOTHING);
  await deploy('missing-ref', HELLO_APP, { ref: 'no-such-branch' });
  await deploy('missing-repository', undefined);
});

afterAll(async () => {
  const ids = Object.values(apps).map((app) => app.id);
  for (const id of ids) await ada.delete(id);
  for (const id of ids) await waitFor(async () => (await processesOf(id)).length === 0);
  await longshore.stop();
  await folder.remove();
});

async function deploy(
  name: string,
  files: Record<string, string> | undefined,
  source: { ref?: string } = {},
): Promise<void> {
  const path = join(folder.path, name);
  const url = files === undefined ? `file://${path}` : await makeRepository(path, files);
  const env = { SENTINEL: ENV_VALUE };
  apps[name] = { name, id: await ada.deploy({ name, url, env, ...source }) };
}

function appOf(name: string): { id: string; name: string } {
  const app = apps[name];
  if (app === undefined) throw new Error(`There is no app ${name}`);
  return app;
}

/** A body that grows until the server rejects it or everything was sent. */
function endlessBody() {
  const consumed = { bytes: 0 };
  const chunk = new Uint8Array(64_000).fill(120);
  const stream = new ReadableStream({
    pull(controller) {
      if (consumed.bytes >= ENDLESS_BYTES) return controller.close();
      consumed.bytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return { consumed, stream };
}

describe('every error response is JSON with status, error and message', () => {
  const AUTH = '/v1/auth';

  it.each([
    ['GET', `${AUTH}/token`, undefined, 404],
    ['DELETE', `${AUTH}/user`, undefined, 404],
    ['PUT', '/v1/graphql', '{}', 405],
    ['GET', '/v1/logs', undefined, 404],
    ['POST', '/dashboard', '{}', 404],
    ['GET', '/v1/nothing', undefined, 404],
    ['GET', '/assets/nothing.js', undefined, 404],
    ['POST', `${AUTH}/token`, '{"refreshToken":', 400],
    ['POST', `${AUTH}/token`, '["an array"]', 400],
    ['POST', `${AUTH}/signin/email-password`, '{"email":{"$gt":""},"password":1}', 400],
    ['POST', `${AUTH}/signin/email-password`, '{"email":"ada@example.com","password":"no"}', 401],
    ['POST', `${AUTH}/token`, '{"refreshToken":"00000000-0000-4000-8000-000000000000"}', 401],
    ['GET', `${AUTH}/user`, undefined, 401],
    ['POST', '/v1/logs', '{}', 401],
    ['POST', '/v1/logs/search', '{}', 401],
    ['POST', '/v1/logs/download', '{}', 401],
    ['POST', '/v1/logs/kept', '{}', 401],
  ])('%s %s %s', async (method, path, body, status) => {
    const response = await fetch(`${longshore.url}${path}`, { method, body: body ?? null });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual({
      status,
      error: expect.stringMatching(/^[a-z-]+$/),
      message: expect.stringMatching(/\S/),
    });
  });

  it('except GraphQL, which has its own error format', async () => {
    const response = await fetch(`${longshore.url}/v1/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":',
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      errors: [{ message: 'the body is not valid JSON', extensions: { code: 'invalid-json' } }],
    });
  });

  it('including an endless body, which is not read completely', async () => {
    const { consumed, stream } = endlessBody();
    const response = await fetch(`${longshore.url}/v1/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(await response.json()).toMatchObject({ status: 413, error: 'payload-too-large' });
    expect(consumed.bytes).toBeLessThan(ENDLESS_BYTES);
  });

  it('including a client that never completes its request', async () => {
    expect(await slowRequest).toContain('{"status":408,"error":"request-timeout"');
  });
});

describe('every response has the security headers', () => {
  it.each([
    '/',
    '/login',
    '/config.json',
    '/healthz',
    '/v1/auth/version',
    '/v1/auth/user',
    '/x.js',
  ])('%s', async (path) => {
    const { headers } = await fetch(`${longshore.url}${path}`);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).not.toContain("script-src 'self' 'unsafe");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it.each([
    'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET // HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    'ahoy\r\n\r\n',
  ])('%j', async (request) => {
    const response = await rawRequest(port, request);
    expect(response.toLowerCase()).toContain("content-security-policy: default-src 'self'");
    expect(response).toMatch(/^HTTP\/1\.1 40[04] .*\{"status":40[04],"error":"/s);
  });
});

it.each([
  '/..%2f..%2fetc/passwd',
  '/../../../../../../etc/passwd',
  '/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '/..%5c..%5cetc%5cpasswd',
  '//etc/passwd',
  '/assets/../../package.json',
  '/assets/..%2f..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/%2e%2e/package.json',
  '/assets/....//....//package.json',
  '/%00/etc/passwd',
  '/index.html%00.png',
])('serves no file outside the console at %s', async (path) => {
  const response = await rawGet(port, path);
  expect(response).toMatch(/^HTTP\/1\.1 (?:200|400|404) /);
  expect(response).not.toContain('root:');
  expect(response).not.toContain('"devDependencies"');
  expect(response).not.toContain('"name": "@longshore/');
});

it('adds a request id to the response and to the log', async () => {
  const { headers } = await fetch(`${longshore.url}/%1b%5b31mred?ticket=sentinel-of-a-ticket`);
  const requestId = headers.get('x-request-id') ?? 'none';
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  const lines = () => longshore.output().split('\n');
  await expect.poll(() => lines().filter((line) => line.includes(requestId))).toHaveLength(1);
  const line = lines().find((it) => it.includes(requestId)) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ requestId, msg: 'GET /%1b%5b31mred', status: 200 });
});

describe('a harmful deployment is refused', () => {
  it.each([
    [{ name: '../../etc' }, 'values.name: Must be lowercase'],
    [{ name: 'hello; reboot' }, 'values.name: Must be lowercase'],
    [{ name: '-rf' }, 'values.name: Must be lowercase'],
    [{ url: '--upload-pack=reboot' }, 'values.source.url: Source URL must start with'],
    [{ url: 'ext::sh -c reboot' }, 'values.source.url: Source URL is not valid'],
    [
      { url: 'https://ada:hunter2@example.com/x' },
      'values.source.url: Source URL must not contain',
    ],
    [{ url: 'ssh://-oProxyCommand=reboot/x' }, 'values.source.url: Source URL is not valid'],
    [{ url: 'https://example.com\\@127.0.0.1/x' }, 'values.source.url: Source URL is not valid'],
    [{ ref: '--upload-pack=reboot' }, 'values.source.ref: Source ref must be'],
    [{ ref: 'main..$(reboot)' }, 'values.source.ref: Source ref must be'],
    [{ ref: 'main\n--force' }, 'values.source.ref: Source ref must be'],
    [{ env: { 'LD_PRELOAD=x': '' } }, 'values.env'],
  ])('%j', async (hostile, message) => {
    const deployment = { name: 'hostile', url: 'https://example.com/x', ...hostile };
    await expect(ada.deploy(deployment)).rejects.toThrow(message);
  });
});

describe('a failed deployment reports the reason', () => {
  it.each([
    ['missing-repository', /^The repository was not found\.\n→ Check the source URL\./],
    [
      'missing-ref',
      /^The branch, tag or commit was not found in the repository\.\n.*no-such-branch/s,
    ],
    ['nothing', /^The source code contains no project that can be deployed\./],
    ['failing-build', /^The build job failed\.\n.*exit code 3\n.*no wood left for the mast/s],
    ['crashing', /^Crash loop: the app keeps exiting\..*exit code 7.*\d+ times.*hit an iceberg/is],
  ])('%s', async (name, message) => {
    await expect
      .poll(() => ada.app(appOf(name).id), POLL)
      .toMatchObject({ status: 'backoff', message: expect.stringMatching(message) });
  });

  it('also of an app that crashes after it served requests', async () => {
    const app = appOf('crashing-later');
    await expect.poll(() => requestApp(longshore, app), POLL).toMatchObject({ body: 'Ahoy' });
    await requestApp(longshore, app, '/iceberg').catch(() => {});
    await expect
      .poll(() => ada.app(app.id), POLL)
      .toMatchObject({
        status: 'backoff',
        message: expect.stringMatching(/^The app crashed\..*exit code 9.*iceberg at last/is),
      });
    await expect.poll(() => requestApp(longshore, app), POLL).toMatchObject({ body: 'Ahoy' });
  });

  it('also of an app that never listens on its port', async () => {
    await expect
      .poll(() => ada.app(appOf('silent').id), POLL)
      .toMatchObject({
        status: 'backoff',
        message: expect.stringMatching(
          /^The app started but does not accept connections on its port\.\n.*PORT variable.*on port 3000.*does not listen on any port.*asleep below deck/s,
        ),
      });
  });
});

it('logs no secret and no stack trace', async () => {
  const { session } = await signIn(longshore.url, 'ada@example.com', PASSWORD);
  const response = await fetch(`${longshore.url}/v1/auth/token`, {
    method: 'POST',
    body: JSON.stringify({ refreshToken: session.refreshToken }),
  });
  const fresh = (await response.json()) as { accessToken: string; refreshToken: string };
  expect(fresh.refreshToken).toMatch(/\S/);
  await fetch(`${longshore.url}/v1/auth/user`, {
    headers: { authorization: `Bearer ${fresh.accessToken}` },
  });
  const output = longshore.output();
  const secrets = [session, fresh].flatMap((it) => [it.accessToken, it.refreshToken]);
  for (const secret of [PASSWORD, ENV_VALUE, 'sentinel-of-a-ticket', 'hunter2', ...secrets]) {
    expect(output).not.toContain(secret);
  }
  expect(output).not.toContain('\n    at ');
});
