import { type AppValues, autoDomain } from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GraphqlFixture, startGraphqlFixture } from '../../test/graphql/graphql-fixture.ts';
import { VARIABLES } from '../../test/values.ts';
import { createAppSecrets } from './app-secrets.ts';
import { createReconcilerStore } from './reconciler-store.ts';
import { KEPT_CHANGES, resolveRelease } from './references.ts';
import { removeUnusedVariables } from './remove-unused-variables.ts';

const APPEND = `mutation ($id: uuid!, $values: jsonb!) {
  update_resources_by_pk(pk_columns: {id: $id}, _append: {values: $values}) { id } }`;
const DELETE = `mutation ($id: uuid!) {
  update_resources_by_pk(pk_columns: {id: $id}, _set: {deleted: true}) { id } }`;

let graphql: GraphqlFixture;
let projectId: string;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
});
afterAll(() => graphql.stop());
beforeEach(async () => {
  projectId = await graphql.createProject();
});

const create = (name: string, env: Record<string, string>, values: Partial<AppValues> = {}) =>
  graphql.createApp({ ...values, name, projectId, env });
const edit = (id: string, values: object) => graphql.result(APPEND, { id, values });
const store = () => createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });

/** What the newest release of an app is started with; its first one, if it has none. */
async function started(id: string): Promise<Record<string, string>> {
  const app = await store().app(id);
  if (app === undefined) throw new Error('There is no app');
  const { ownerId, generation, values } = app;
  const { last = await store().addRelease({ appId: id, generation, desiredHash: 'a', values }) } =
    await store().releases(id);
  const { name } = values;
  return await resolveRelease(
    { appId: id, ownerId, projectId, name, number: last.number, env: last.values.env },
    {
      db: graphql.backend.db,
      variables: VARIABLES,
      baseDomain: 'localhost',
      urlOf: (host) => `http://${host}:8080`,
    },
  );
}

describe('an app', () => {
  it('gets the address and the variables of another one', async () => {
    const api = await create('api', { TOKEN: 'abc', URL: 'hidden by the address' });
    const web = await create('web', {
      API: '${{api.URL}}',
      PRIVATE: 'http://${{api.HOST}}:${{api.PORT}}',
      TOKEN: '${{api.TOKEN}}',
      LITERAL: '$${{api.URL}}',
    });
    expect(await started(web)).toEqual({
      API: `http://${autoDomain({ id: api, name: 'api' }, 'localhost')}:8080`,
      PRIVATE: 'http://api.internal:3000',
      TOKEN: 'abc',
      LITERAL: '${{api.URL}}',
    });
  });

  it('gets the private URL of an app without a public one, at the port that it listens on', async () => {
    const publicAccess = { enabled: false, domain: 'auto', baseDomain: '' };
    const api = await create('api', {}, { publicAccess });
    await started(api);
    await store().addDetected(api, 1, { port: 8099 });
    await store().endRelease({ appId: api, number: 1, outcome: 'live' });
    const web = await create('web', { API: '${{api.URL}}' });
    expect(await started(web)).toEqual({ API: 'http://api.internal:8099' });
  });

  it('gets the values of the time when it starts', async () => {
    const api = await create('api', { COLOUR: 'red' });
    const web = await create('web', { COLOUR: '${{api.COLOUR}}' });
    expect(await started(web)).toEqual({ COLOUR: 'red' });
    await edit(api, { env: { COLOUR: 'blue' } });
    expect(await started(web)).toEqual({ COLOUR: 'blue' });
  });

  it('cannot be saved with a reference that leads nowhere, and nothing is changed', async () => {
    const api = await create('api', { COLOUR: 'red' });
    const web = await create('web', { COLOUR: '${{api.COLOUR}}' });
    const refused: [app: string, env: Record<string, string>, message: string][] = [
      [web, { A: '${{gone.URL}}' }, 'A: ${{gone.URL}}: The project has no app gone'],
      [web, { A: '${{api.SIZE}}' }, 'A: ${{api.SIZE}}: The app api has no variable SIZE'],
      [
        web,
        { A: '${{api' },
        'A: ${{api is not a reference such as ${{api.URL}}. Write $${{ for the text ${{',
      ],
      [
        api,
        { COLOUR: '${{web.COLOUR}}' },
        'COLOUR: ${{api.COLOUR}} refers to itself: api.COLOUR → web.COLOUR → api.COLOUR',
      ],
    ];
    for (const [id, env, message] of refused) {
      const error = await graphql.error(APPEND, { id, values: { env } });
      expect(error).toMatchObject({ message: `values.env.${message}` });
    }
    expect(await started(web)).toEqual({ COLOUR: 'red' });
    expect(await started(api)).toEqual({ COLOUR: 'red' });
  });

  it.each([
    ['was renamed', (api: string) => edit(api, { name: 'backend' })],
    ['was deleted', (api: string) => graphql.result(DELETE, { id: api })],
    ['lost its variable', (api: string) => edit(api, { env: {} })],
  ])('fails with reference-not-found if the other one %s', async (_, change) => {
    const api = await create('api', { COLOUR: 'red' });
    const web = await create('web', { COLOUR: '${{api.COLOUR}}' });
    await started(web);
    await change(api);
    await expect(started(web)).rejects.toMatchObject({
      reason: 'reference-not-found',
      evidence: [expect.stringMatching(/^COLOUR: \$\{\{api\.COLOUR\}\}: The (project|app) .*\.$/)],
    });
    // It can still be edited and hibernated.
    await edit(web, { instances: 0, env: { COLOUR: '${{api.COLOUR}}', OTHER: 'new' } });
  });

  it('cannot refer to an app of another project or user', async () => {
    const eve = await graphql.backend.signUp();
    await create('api', { TOKEN: 'abc' });
    const message = 'values.env.A: ${{api.TOKEN}}: The project has no app api';
    const values = { name: 'own', env: { A: '${{api.TOKEN}}' } };
    for (const session of [graphql.ada, eve]) {
      const own = await graphql.createApp({ name: 'own' }, session);
      const as = { authorization: `Bearer ${session.accessToken}` };
      expect(await graphql.error(APPEND, { id: own, values }, as)).toMatchObject({ message });
    }
  });
});

describe('the values of another app', () => {
  const TOKEN = 'abcdefgh-secret';
  const secrets = () => createAppSecrets({ db: graphql.backend.db, variables: VARIABLES });
  const rows = async () =>
    JSON.stringify((await graphql.backend.pool.query('select * from deploy.releases')).rows);

  it('are masked in logs, also under another name and after they were replaced', async () => {
    const api = await create('api', { API_TOKEN: TOKEN, MODE: 'production' });
    const web = await create('web', { HEADER: 'Bearer ${{api.API_TOKEN}}', MODE: '${{api.MODE}}' });
    expect(await secrets().ofApp(web)).toEqual([]);
    await started(web);
    await edit(api, { env: { API_TOKEN: 'another', MODE: 'production' } });
    expect(await secrets().ofApp(web)).toEqual([TOKEN]);
  });

  it('are masked and kept while an instance that started with earlier ones may run', async () => {
    const api = await create('api', { API_TOKEN: 'first-token' });
    const web = await create('web', { HEADER: '${{api.API_TOKEN}}' });
    for (const token of ['first-token', 'second-token', 'third-token', 'second-token']) {
      await edit(api, { env: { API_TOKEN: token } });
      await started(web);
      await started(web);
    }
    await removeUnused();
    expect(await secrets().ofApp(web)).toEqual(['second-token', 'third-token', 'first-token']);
  });

  it('are kept of the latest changes only', async () => {
    const api = await create('api', { API_TOKEN: 'token-0' });
    const web = await create('web', { HEADER: '${{api.API_TOKEN}}' });
    for (let change = 0; change <= KEPT_CHANGES; change += 1) {
      await edit(api, { env: { API_TOKEN: `token-${change}` } });
      await started(web);
    }
    const found = await secrets().ofApp(web);
    expect(found).toHaveLength(KEPT_CHANGES);
    expect(found).not.toContain('token-0');
  });

  it('are encrypted, and kept as long as the release', async () => {
    await create('api', { API_TOKEN: TOKEN });
    const web = await create('web', { HEADER: '${{api.API_TOKEN}}' });
    await started(web);
    expect(await rows()).not.toContain(TOKEN);
    await removeUnused();
    expect(await secrets().ofApp(web)).toEqual([TOKEN]);
  });

  /** Runs the job, two days pass, and it runs again. */
  async function removeUnused(): Promise<void> {
    const { db, pool } = graphql.backend;
    await removeUnusedVariables(db);
    await pool.query(`update deploy.sealed_values set unused_since = now() - interval '2 days'
      where unused_since is not null`);
    await removeUnusedVariables(db);
  }
});
