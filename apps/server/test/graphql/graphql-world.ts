import {
  type AppValues,
  chartNameOf,
  INSERT_RESOURCE,
  isRecord,
  type Session,
} from '@longshore/contract';
import { expect } from 'vitest';
import type { HasuraError } from '../../src/graphql/hasura-error.ts';
import { ADMIN_SECRET, bearer, startBackend } from '../backend.ts';
import { appValues } from '../values.ts';

type Data = Record<string, unknown>;
type Body = { data?: Data; errors?: HasuraError[] };
type Headers = Record<string, string>;

export const AS_ADMIN: Headers = { 'x-hasura-admin-secret': ADMIN_SECRET };

/** A backend that is asked over GraphQL by the one user Ada, or by others. */
export async function startGraphqlWorld() {
  const backend = await startBackend();
  const ada = await backend.signUp();
  const asAda = bearer(ada);

  async function ask(query: string, variables: unknown = {}, as: Headers = asAda): Promise<Body> {
    const answer = await backend.post<Body>('/v1/graphql', { query, variables }, as);
    expect(answer.status).toBe(200);
    return answer.body;
  }

  /** What the only root field answers. */
  async function answer(query: string, variables?: unknown, as?: Headers): Promise<unknown> {
    const { data, errors } = await ask(query, variables, as);
    expect(errors).toBeUndefined();
    return Object.values(data ?? {})[0];
  }

  async function refusal(query: string, variables?: unknown, as?: Headers): Promise<HasuraError> {
    const { data, errors } = await ask(query, variables, as);
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
    const row = await answer(INSERT_RESOURCE, variables, bearer(session));
    return isRecord(row) ? String(row.id) : '';
  }

  const makeProject = (session: Session = ada, name = 'Harbour') =>
    insert('project', { userId: session.user.id, name }, session);

  async function makeApp(overrides: Partial<AppValues> = {}, session: Session = ada) {
    const projectId = overrides.projectId ?? (await makeProject(session));
    return await insert('app', { ...appValues(projectId), ...overrides }, session);
  }

  return {
    backend,
    ada,
    ask,
    answer,
    refusal,
    makeProject,
    makeApp,
    async stop() {
      expect(backend.errors).toEqual([]);
      await backend.stop();
    },
  };
}

export type GraphqlWorld = Awaited<ReturnType<typeof startGraphqlWorld>>;
