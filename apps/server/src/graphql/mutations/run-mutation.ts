import { redeployAsEditor } from '../../apps/redeploy.ts';
import { rollBack } from '../../apps/roll-back.ts';
import { ResourceProblem } from '../../db/resources.ts';
import { type GraphqlCode, GraphqlProblem } from '../graphql-problem.ts';
import { hasKey } from '../sql/root-field.ts';
import type { ChangeArguments } from './change.ts';
import { insertResources, type NewResource, type OnConflict } from './insert.ts';
import { updateResources } from './update.ts';
import type { Write } from './write.ts';

/** The rows a mutation wrote: a row or none, a response with rows, or one such response per update. */
export type Written =
  | { form: 'row'; id: string | undefined }
  | { form: 'response'; ids: string[] }
  | { form: 'responses'; idsOfEach: string[][] };

type Arguments = Record<string, unknown>;
type Mutation = (args: Arguments, write: Write) => Promise<Written>;

/** Deleting sets `deleted`; the row stays. */
const DELETED = { _set: { deleted: true } };

const MUTATIONS: Record<string, Mutation> = {
  insert_resources: async ({ objects, on_conflict }, write) =>
    response(await insertResources(objects as NewResource[], on_conflict as OnConflict, write)),
  insert_resources_one: async ({ object, on_conflict }, write) =>
    row(await insertResources([object as NewResource], on_conflict as OnConflict, write)),
  update_resources: async ({ where, ...change }, write) =>
    response(await updateResources(where, change, write)),
  update_resources_by_pk: async ({ pk_columns, ...change }, write) =>
    row(await updateResources(hasKey(pk_columns as Arguments), change, write)),
  async update_resources_many({ updates }, write) {
    const idsOfEach: string[][] = [];
    for (const { where, ...change } of updates as (ChangeArguments & { where: unknown })[]) {
      idsOfEach.push(await updateResources(where, change, write));
    }
    return { form: 'responses', idsOfEach };
  },
  delete_resources: async ({ where }, write) =>
    response(await updateResources(andNotDeleted(where), DELETED, write)),
  delete_resources_by_pk: async (key, write) =>
    row(await updateResources(andNotDeleted(hasKey(key)), DELETED, write)),
  async redeploy_app({ id }, { tx, scope }) {
    const isDone = await redeployAsEditor(tx, String(id), scope);
    return row(isDone ? [String(id)] : []);
  },
  async rollback_app({ id, release, generation }, { tx, scope, rules }) {
    const rollback = { appId: String(id), release: Number(release), generation };
    const isDone = await rollBack(tx, rollback, { editor: scope, rules });
    return row(isDone ? [String(id)] : []);
  },
};

const CODES: Record<ResourceProblem['reason'], GraphqlCode> = {
  invalid: 'validation-failed',
  constraint: 'constraint-violation',
  conflict: 'conflict',
};

/** Runs one root field of a mutation. The schema has checked its name. */
export async function runMutation(name: string, args: Arguments, write: Write): Promise<Written> {
  const mutation = MUTATIONS[name];
  if (mutation === undefined) throw new Error(`There is no mutation ${name}`);
  try {
    return await mutation(args, write);
  } catch (error) {
    if (!(error instanceof ResourceProblem)) throw error;
    throw new GraphqlProblem(CODES[error.reason], error.message, '$', { cause: error });
  }
}

function andNotDeleted(where: unknown): unknown {
  return { _and: [where, { deleted: { _eq: false } }] };
}

function row(ids: string[]): Written {
  return { form: 'row', id: ids[0] };
}

function response(ids: string[]): Written {
  return { form: 'response', ids };
}
