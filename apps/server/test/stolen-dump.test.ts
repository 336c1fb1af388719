import { randomBytes } from 'node:crypto';
import { chartNameOf, type NewRecoveryCodes, type Session } from '@longshore/contract';
import { type GitHost, startGithubHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReconcilerStore } from '../src/apps/reconciler-store.ts';
import { desiredApp } from '../src/reconciler/desired.ts';
import { createBrowser } from './auth/providers/browser.ts';
import { type Backend, bearer, startBackend, stopWithoutErrors } from './backend.ts';
import { type FakeRegistry, startFakeRegistry } from './connect/fake-registry.ts';
import { clientAt, connectByOauth, PUBLIC_URL, ticketFor } from './connect/oauth-connection.ts';
import { appValues, VARIABLES } from './values.ts';

/** An attacker has the complete database, but not the key file. It must not contain a usable credential. */
let backend: Backend;
let gitlab: GitHost;
let github: GitHost;
let registry: FakeRegistry;
const sentinels = new Map<string, string>();

beforeAll(async () => {
  [gitlab, github, registry] = [
    await startGitlabHost(),
    await startGithubHost(),
    await startFakeRegistry('basic'),
  ];
  const oauthClients = { ...clientAt(gitlab, 'gitlab'), ...clientAt(github, 'github') };
  backend = await startBackend({
    connect: { allowLocalSources: true, oauthClients, dockerHubUrl: registry.url },
  });
  const ada = await backend.signUp();
  await connectEverything(ada);
  sentinels.set('the access token', ada.accessToken);
  sentinels.set('the refresh token', ada.refreshToken);
});
afterAll(async () => {
  for (const host of [gitlab, github, registry]) await host.close();
  await stopWithoutErrors(backend);
});

function sentinel(what: string): string {
  const value = `sentinel-${randomBytes(12).toString('hex')}`;
  sentinels.set(what, value);
  return value;
}

async function connectEverything(ada: Session): Promise<void> {
  const connect = (method: string, body: unknown) =>
    backend.post(`/v1/connect/auth/${method}`, body, bearer(ada));

  registry.accounts.set('ada', sentinel('a registry password'));
  const password = registry.accounts.get('ada');
  await connect('dockerhub', { username: 'ada', password });
  await connect('registry', { host: registry.host, username: 'ada', password });

  const token = gitlab.state.issueToken('grace', sentinel('a personal access token'));
  await connect('token', { provider: 'gitlab', url: gitlab.url, token });

  await connectByOauth(backend, ada, 'gitlab');
  await connectByOauth(backend, ada, 'github');
  for (const [refreshToken, { accessToken }] of gitlab.oauth.refreshTokens) {
    sentinels.set('a GitLab refresh token', refreshToken);
    sentinels.set('a GitLab access token', accessToken);
  }
  sentinels.set('the OAuth client secret', gitlab.oauth.app.clientSecret);

  const browser = createBrowser(backend);
  const login = await ticketFor(browser, ada, 'gitlab');
  const { headers } = await browser.open(login.url);
  const redirect = new URL(headers.get('location') ?? '');
  sentinels.set('a ticket', (await ticketFor(browser, ada, 'gitlab')).token);
  sentinels.set('a state', redirect.searchParams.get('state') ?? '');
  const [key = ''] = [...browser.cookies(PUBLIC_URL).values()];
  sentinels.set('a browser key', key);

  const appId = await makeApp(ada);
  await setVariables(ada, appId);
  const hook = await backend.post<{ secret: string }>(
    `/v1/connect/apps/${appId}/webhook`,
    { enabled: true },
    bearer(ada),
  );
  sentinels.set('a webhook secret', hook.body.secret);

  const { body } = await backend.request<{ totpSecret: string }>('/v1/auth/mfa/totp/generate', {
    headers: bearer(ada),
  });
  sentinels.set('a TOTP secret', body.totpSecret);
  const recoveryCode = await newRecoveryCode(ada, body.totpSecret);
  sentinels.set('a recovery code', recoveryCode);
  sentinels.set('a recovery code without dashes', recoveryCode.replaceAll('-', ''));
  const { body: signIn } = await backend.post<{ mfa: { ticket: string } }>(
    '/v1/auth/signin/email-password',
    { email: ada.user.email, password: 'correct horse' },
  );
  sentinels.set('a ticket for the second factor', signIn.mfa.ticket);
}

async function newRecoveryCode(ada: Session, secret: string): Promise<string> {
  const code = generateSync({ secret, epoch: Math.floor(backend.clock.now() / 1_000) });
  await backend.post('/v1/auth/user/mfa', { code, activeMfaType: 'totp' }, bearer(ada));
  const path = '/v1/auth/mfa/recovery-codes/generate';
  const { body } = await backend.post<NewRecoveryCodes>(path, { code }, bearer(ada));
  return body.recoveryCodes[0] ?? '';
}

async function makeApp({ user }: Session): Promise<string> {
  const { id: projectId } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: user.id,
      chart_name: chartNameOf('project'),
      chart_version: '0.0',
      values: JSON.stringify({ userId: user.id, name: 'Harbour' }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const source = { enabled: true, url: 'https://a.example/b.git', ref: 'main', secretName: '' };
  const { id } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: user.id,
      chart_name: chartNameOf('app'),
      chart_version: '0.0',
      values: JSON.stringify({ ...appValues(projectId), source }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Sets a variable, deploys it, and sets it again. */
async function setVariables(ada: Session, appId: string): Promise<void> {
  const store = createReconcilerStore({ db: backend.db, variables: VARIABLES });
  for (const what of ['the variable of a release', 'a variable']) {
    const change = { env: { TOKEN: sentinel(what) } };
    const { body } = await backend.post<{ errors?: unknown }>(
      '/v1/graphql',
      { query: APPEND, variables: { id: appId, change } },
      bearer(ada),
    );
    expect(body.errors).toBeUndefined();
    const app = await store.app(appId);
    if (app === undefined) throw new Error('The app is missing');
    const release = { ...desiredApp(app, 'localhost'), appId };
    const desiredHash = store.desiredHashOf(appId, release.desiredHash);
    await store.addRelease({ ...release, desiredHash });
    sentinels.set(`the plain hash that covers ${what}`, release.desiredHash);
  }
}

const APPEND = `mutation ($id: uuid!, $change: jsonb!) {
  update_resources_by_pk(pk_columns: {id: $id}, _append: {values: $change}) { id } }`;

/** Every column of every row, as `pg_dump` would write it. */
async function dump(): Promise<string> {
  const { rows: tables } = await backend.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = tables.map(async ({ name }) => {
    const { rows } = await backend.pool.query<{ row: string }>(
      `select t::text as row from ${name} t`,
    );
    return rows.map(({ row }) => row).join('\n');
  });
  return (await Promise.all(texts)).join('\n');
}

it('finds no secret in a database dump, in any encoding', async () => {
  const text = await dump();
  expect(text).toContain('docker.io');
  expect(sentinels.size).toBe(19);
  for (const [what, value] of sentinels) {
    expect(value.length, what).toBeGreaterThan(8);
    for (const encoded of encodingsOf(value)) expect(text.includes(encoded), what).toBe(false);
  }
  const { rows } = await backend.pool.query('select from connect.secrets');
  expect(rows).toHaveLength(6);
});

/** Plain text, hex as in bytea, and base64 at every alignment. */
function encodingsOf(value: string): string[] {
  const shifted = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('x'.repeat(shift) + value).toString('base64');
    return encoded.slice(shift === 0 ? 0 : 4, -4);
  });
  return [value, Buffer.from(value).toString('hex'), ...shifted];
}
