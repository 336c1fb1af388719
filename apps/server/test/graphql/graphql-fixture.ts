import {
  type AppValues,
  chartNameOf,
  INSERT_RESOURCE,
  isRecord,
  type Session,
} from '@longshore/contract';
import { expect } from 'vitest';
import type { HasuraError } from '../../src/graphql/hasura-error.ts';
import { ADMIN_SECRET, type BackendOptions, bearer, startBackend } from '../backend.ts';
import { appValues } from '../values.ts';

type Data = Record<string, unknown>;
type Body = { data?: Data; errors?: HasuraError[] };
type Headers = Record<string, string>;

export const AS_ADMIN: Headers = { 'x-hasura-admin-secret': ADMIN_SECRET };

/** A backend with the user Ada, and GraphQL requests to it. */
export async function startGraphqlFixture(options: BackendOptions = {}) {
  const backend = await startBackend(options);
  const ada = await backend.signUp();
  const asAda = bearer(ada);

  async function request(
    query: string,
    variables: unknown = {},
    as: Headers = asAda,
  ): Promise<Body> {
    const response = await backend.post<Body>('/v1/graphql', { query, variables }, as);
    expect(response.status).toBe(200);
    return response.body;
  }

  /** The value of the only root field. */
  async function result(query: string, variables?: unknown, as?: Headers): Promise<unknown> {
    const { data, errors } = await request(query, variables, as);
    expect(errors).toBeUndefined();
    return Object.values(data ?? {})[0];
  }

  /** The only error. */
  async function error(query: string, variables?: unknown, as?: Headers): Promise<HasuraError> {
    const { data, errors } = await request(query, variables, as);
    expect(data).toBeUndefined();
    expect(errors).toHaveLength(1);
    return errors?.[0] as HasuraError;
  }

  async function insert(kind: 'app' | 'project', values: unknown, session: Session = ada) {
    const variables = {
      userId: session.user.id,
      chartName: chartNameOf(kind),
      chartVersion: '0.0',
      values,
    };
    const row = await result(INSERT_RESOURCE, variables, bearer(session));
    return isRecord(row) ? String(row.id) : '';
  }

  const createProject = (session: Session = ada, name = 'Harbour') =>
    insert('project', { userId: session.user.id, name }, session);

  async function createApp(overrides: Partial<AppValues> = {}, session: Session = ada) {
    const projectId = overrides.projectId ?? (await createProject(session));
    return await insert('app', { ...appValues(projectId), ...overrides }, session);
  }

  return {
    backend,
    ada,
    request,
    result,
    error,
    createProject,
    createApp,
    async stop() {
      expect(backend.errors).toEqual([]);
      await backend.stop();
    },
  };
}

export type GraphqlFixture = Awaited<ReturnType<typeof startGraphqlFixture>>;
