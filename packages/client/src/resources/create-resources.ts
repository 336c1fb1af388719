import {
  type AppValues,
  CHART_VERSION,
  chartNameOf,
  clientError,
  DELETE_RESOURCE,
  decodeResources,
  INSERT_RESOURCE,
  type ProjectValues,
  RESOURCES_SUBSCRIPTION,
  type ResourceKind,
  UPDATE_RESOURCE,
  UPDATE_UNCHANGED_RESOURCE,
} from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import type { Graphql, Variables } from '../graphql/graphql.ts';
import { failure, type RequestError } from '../http/request-result.ts';
import type { Log } from '../ports.ts';
import { type Changed, changedRow } from './changed-row.ts';
import type { MutationResult, Resources } from './resources.ts';

export type ResourcesDeps = {
  graphql: Pick<Graphql, 'request' | 'subscribe'>;
  auth: Pick<Auth, 'state'>;
  log: Log;
};

type Inserted = { insert_resources_one: Changed };
type Updated = { update_resources_by_pk: Changed };
type UpdatedUnchanged = { update_resources: { returning: { id: string }[] } };

const CONFLICT: RequestError = {
  status: 409,
  error: 'conflict',
  message: 'The resource has changed in the meantime',
};

/** The resource operations (spec-map 7.4.7–11). */
export function createResources({ graphql, auth, log }: ResourcesDeps): Resources {
  /** Without a signed-in user nothing is sent (spec-map 5.2.8). */
  async function asUser(mutation: (userId: string) => Promise<MutationResult>) {
    const state = auth.state();
    return state.kind === 'signed-in'
      ? mutation(state.user.id)
      : failure(clientError('unauthenticated-user'));
  }

  async function insert(kind: ResourceKind, userId: string, values: ProjectValues | AppValues) {
    const result = await graphql.request<Inserted>(INSERT_RESOURCE, {
      userId,
      chartName: chartNameOf(kind),
      chartVersion: CHART_VERSION,
      values,
    });
    return result.ok ? changedRow(result.data.insert_resources_one) : result;
  }

  async function update(document: string, variables: Variables): Promise<MutationResult> {
    const result = await graphql.request<Updated>(document, variables);
    return result.ok ? changedRow(result.data.update_resources_by_pk) : result;
  }

  async function updateUnchanged(variables: Variables): Promise<MutationResult> {
    const result = await graphql.request<UpdatedUnchanged>(UPDATE_UNCHANGED_RESOURCE, variables);
    if (!result.ok) return result;
    const [row] = result.data.update_resources.returning;
    return row === undefined ? failure(CONFLICT) : { ok: true, id: row.id };
  }

  async function logged(event: string, mutation: Promise<MutationResult>): Promise<MutationResult> {
    const result = await mutation;
    if (!result.ok) log(event, result.error);
    return result;
  }

  return {
    live: (userId, observer) =>
      graphql.subscribe<{ resources: unknown }>(
        RESOURCES_SUBSCRIPTION,
        { userId },
        { ...observer, next: ({ resources }) => observer.next(decodeResources(resources)) },
      ),
    createProject: ({ name }) =>
      logged(
        'create project failed',
        asUser((userId) => insert('project', userId, { userId, name })),
      ),
    createApp: (values) =>
      logged(
        'create app failed',
        asUser((userId) => insert('app', userId, values)),
      ),
    updateProject: (id, { name }) =>
      logged(
        'update project failed',
        asUser((userId) => update(UPDATE_RESOURCE, { id, values: { userId, name } })),
      ),
    updateApp: (id, values, updatedAt) =>
      logged(
        'update app failed',
        updatedAt === undefined
          ? update(UPDATE_RESOURCE, { id, values })
          : updateUnchanged({ id, values, updatedAt }),
      ),
    deleteResource: (id) => logged('delete resource failed', update(DELETE_RESOURCE, { id })),
  };
}
