import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chartNameOf, type Session } from '@longshore/contract';
import { type GitHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { follow, linkFor } from './auth/mail-links.ts';
import { createBrowser } from './auth/providers/browser.ts';
import { startCodeHost } from './auth/providers/code-host.ts';
import type { TestProvider } from './auth/providers/test-provider.ts';
import { requestSignature, signUpWithKey } from './auth/security-key-account.ts';
import { usersWithAuthenticators } from './auth/users-with-authenticators.ts';
import { type Backend, bearer } from './backend.ts';
import { clientAt, connectByOauth, integrationsOf } from './connect/oauth-connection.ts';
import { fileClient } from './storage/file-client.ts';
import { hasS3Server, type S3Server, startS3Server } from './storage/s3-server.ts';
import { startTwoServers, type TwoServers } from './two-servers.ts';
import { uploadFixture } from './uploads/upload-fixture.ts';
import { appValues } from './values.ts';

/** Once per machine. */
const COMPILE_MS = 900_000;
const PASSWORD = 'correct horse';
const SIGN_IN = '/v1/auth/signin/email-password';
const HOUR_MS = 3_600_000;

describe.skipIf(!hasS3Server)('two servers that share their state', () => {
  let objectStore: S3Server;
  let gitlab: GitHost;
  let codeHost: TestProvider;
  let servers: TwoServers;
  let both: Backend;
  let ada: Session;

  beforeAll(async () => {
    objectStore = await startS3Server();
    gitlab = await startGitlabHost();
    codeHost = await startCodeHost('github');
    servers = await startTwoServers({
      s3: objectStore.settings,
      isExposed: true,
      settings: { rateLimits: true, providers: { github: codeHost.client } },
      connect: {
        allowLocalSources: true,
        rateLimits: true,
        oauthClients: clientAt(gitlab, 'gitlab'),
        gitHosts: { gitlab: gitlab.url, github: 'https://github.com' },
      },
    });
    ({ both } = servers);
    // The first account, with the code that the other server has.
    const email = 'operator@example.com';
    const setupCode = servers.second.auth.setupCode?.reveal();
    const body = { email, password: PASSWORD, setupCode };
    const { status } = await servers.first.post('/v1/auth/signup/email-password', body);
    expect(status).toBe(200);
  }, COMPILE_MS);
  beforeEach(async () => {
    both.clock.ahead = 0;
    ada = await both.signUp();
  });
  afterAll(async () => {
    await servers?.stop();
    await gitlab?.close();
    await codeHost?.stop();
    await objectStore?.stop();
  });

  it('need no setup code after the first account', async () => {
    expect(await servers.first.auth.needsSetupCode()).toBe(false);
    expect(await servers.second.auth.needsSetupCode()).toBe(false);
  });

  it('refresh sessions of each other', async () => {
    let { refreshToken } = ada;
    for (let round = 0; round < 4; round += 1) {
      const { status, body } = await both.post<Session>('/v1/auth/token', { refreshToken });
      expect(status).toBe(200);
      ({ refreshToken } = body);
      const user = await both.request('/v1/auth/user', { headers: bearer(body) });
      expect(user.body).toMatchObject({ id: ada.user.id });
    }
  });

  it('check the second factor of a sign-in that the other one began', async () => {
    const users = usersWithAuthenticators(both);
    const { email, session, totpSecret } = await users.newUserWithMfa();
    for (let round = 0; round < 2; round += 1) {
      const { ticket } = (await users.signIn(email)).mfa;
      const { status, body } = await users.signInMfa(ticket, users.codeOf(totpSecret));
      expect(status).toBe(200);
      expect(body.session.user.id).toBe(session.user.id);
    }
  });

  it('verify security keys with a challenge of the other one', async () => {
    const { key, session } = await signUpWithKey(both, `${randomUUID()}@example.com`);
    const options = await requestSignature(both, { email: session.user.email });
    const { status, body } = await both.post<{ session: Session }>(
      '/v1/auth/signin/webauthn/verify',
      { credential: key.get(options) },
    );
    expect(status).toBe(200);
    expect(body.session.user.id).toBe(session.user.id);
  });

  it('accept a link in a mail that the other one sent', async () => {
    const email = ada.user.email ?? '';
    await both.post('/v1/auth/signin/passwordless/email', { email });
    const { status, parameters } = await follow(both, linkFor(both, email));
    expect(status).toBe(302);
    const { body } = await both.post<Session>('/v1/auth/token', {
      refreshToken: parameters.refreshToken,
    });
    expect(body.user.id).toBe(ada.user.id);
  });

  it('complete a sign-in with a provider that the other one began', async () => {
    const end = await createBrowser(both).followRedirects('/v1/auth/signin/provider/github');
    const { status } = await both.post('/v1/auth/token', {
      refreshToken: end.searchParams.get('refreshToken'),
    });
    expect(status).toBe(200);
  });

  it('complete a connection to a code host, and refresh its token once', async () => {
    await connectByOauth(both, ada, 'gitlab');
    const [{ id }] = await integrationsOf(both, ada);
    gitlab.requests.length = 0;
    both.clock.ahead = 3 * HOUR_MS;
    const request = {
      ownerId: ada.user.id,
      integrationId: id,
      url: `${gitlab.url}/ada/app.git`,
    };
    const credentials = await Promise.all(
      [servers.first, servers.second].map(({ connect }) =>
        connect.credentials.forGit(request, AbortSignal.timeout(30_000)),
      ),
    );
    const tokens = credentials.map((it) => (it.kind === 'https' ? it.token.reveal() : ''));
    expect(tokens).toEqual([tokens[0], tokens[0]]);
    expect(gitlab.state.userOf(`Bearer ${tokens[0]}`)).toMatchObject({ login: 'ada' });
    const refreshes = gitlab.requests.filter(({ url }) => url.pathname === '/oauth/token');
    expect(refreshes).toHaveLength(1);
  });

  it('register one webhook when both are asked at once', async () => {
    gitlab.state.addRepository({ fullName: 'ada/shop', members: ['ada'] });
    gitlab.state.hooks.length = 0;
    const account = { provider: 'gitlab', token: gitlab.state.issueToken('ada') };
    const { body } = await both.post('/v1/connect/auth/token', account, bearer(ada));
    const secretName = String(body.id);
    const values = appValues(randomUUID());
    const url = `${gitlab.url}/ada/shop.git`;
    const id = await insertApp({ ...values, source: { ...values.source, url, secretName } });
    const path = `/v1/connect/apps/${id}/webhook`;
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => both.post(path, { enabled: true }, bearer(ada))),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(gitlab.state.hooks).toHaveLength(1);
  });

  it('accept calls of a deploy hook that the other one created, and count them together', async () => {
    const id = await insertApp(appValues(randomUUID()));
    const path = `/v1/connect/apps/${id}/deploy-hook`;
    const { body } = await both.post<{ url: string }>(path, {}, bearer(ada));
    const statuses: number[] = [];
    for (let call = 0; call < 15; call += 1)
      statuses.push((await both.request(body.url, { method: 'POST' })).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(202));
    // Separately, each would allow 10.
    expect(statuses).toContain(429);
  });

  it('count wrong passwords together', async () => {
    const { email } = ada.user;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 15; attempt += 1)
      statuses.push((await both.post(SIGN_IN, { email, password: 'wrong' })).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses).toContain(429);
  });

  it('serve files of each other, also by presigned URLs', async () => {
    const client = fileClient(both, ada);
    const { id } = await client.upload('0123456789');
    expect(await (await client.request(`/files/${id}`)).text()).toBe('0123456789');
    const signed = await client.request(`/files/${id}/presignedurl`);
    const { url } = (await signed.json()) as { url: string };
    for (let round = 0; round < 2; round += 1)
      expect(await (await both.app.request(url)).text()).toBe('0123456789');
  });

  it('build an archive that the other one received', async () => {
    const { newApp, upload } = uploadFixture(() => ({ backend: servers.first, user: ada }));
    const id = await newApp();
    const { status, body } = await upload(id, bearer(ada));
    expect(status).toBe(200);
    const path = join(servers.second.folder, 'copy');
    const archive = { appId: id, digest: String(body.digest) };
    const signal = AbortSignal.timeout(30_000);
    expect(await servers.second.uploads.download?.(archive, path, signal)).toBe(true);
    expect((await readFile(path)).length).toBeGreaterThan(0);
    expect(await servers.second.uploads.usedBytes([id])).toBe((await readFile(path)).length);
    await rm(path);
  });

  it('run functions for sessions of each other', async () => {
    for (const { folder } of [servers.first, servers.second]) {
      await mkdir(join(folder, 'functions'), { recursive: true });
      const source = 'export default (request, { userId }) => Response.json({ userId })';
      await writeFile(join(folder, 'functions', 'who.js'), source);
    }
    for (let round = 0; round < 2; round += 1) {
      const { body } = await both.post('/v1/functions/who', {}, bearer(ada));
      expect(body).toEqual({ userId: ada.user.id });
    }
  });

  it('end sessions of each other', async () => {
    const read = (server: Backend) =>
      server.request('/v1/storage/files/none', { headers: bearer(ada) });
    expect((await read(servers.first)).status).not.toBe(401);
    expect((await read(servers.second)).status).not.toBe(401);
    await servers.first.post('/v1/auth/signout', { refreshToken: ada.refreshToken });
    expect((await read(servers.first)).status).toBe(401);
    await expect.poll(async () => (await read(servers.second)).status).toBe(401);
    const refreshed = await servers.second.post('/v1/auth/token', {
      refreshToken: ada.refreshToken,
    });
    expect(refreshed.status).toBe(401);
  });

  async function insertApp(values: object): Promise<string> {
    const { id } = await both.db
      .insertInto('public.resources')
      .values({
        user_id: ada.user.id,
        chart_name: chartNameOf('app'),
        chart_version: '0.0',
        values: JSON.stringify(values),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
});
