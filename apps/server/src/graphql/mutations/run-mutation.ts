import { hasKey } from '../sql/root-json.ts';
import type { ChangeArguments } from './change.ts';
import { insertResources, type NewResource, type OnConflict } from './insert.ts';
import { redeployApp } from './redeploy-app.ts';
import { type Rollback, rollBack } from './roll-back.ts';
import { updateResources } from './update.ts';
import type { Write } from './write.ts';

/** What a mutation answers with: a row or nothing, a response with rows, or one such response per update. */
export type Written =
  | { form: 'row'; id: string | undefined }
  | { form: 'response'; ids: string[] }
  | { form: 'responses'; idsOfEach: string[][] };

type Arguments = Record<string, unknown>;
type Mutation = (args: Arguments, write: Write) => Promise<Written>;

/** Deleting sets `deleted`; the row stays. Spec §4. */
const REMOVED = { _set: { deleted: true } };

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
    response(await updateResources(stillThere(where), REMOVED, write)),
  delete_resources_by_pk: async (key, write) =>
    row(await updateResources(stillThere(hasKey(key)), REMOVED, write)),
  redeploy_app: async ({ id }, write) => row(await redeployApp(String(id), write)),
  rollback_app: async (rollback, write) => row(await rollBack(rollback as Rollback, write)),
};

/** Runs one root field of a mutation, whose name the schema has checked. */
export async function runMutation(name: string, args: Arguments, write: Write): Promise<Written> {
  const mutation = MUTATIONS[name];
  if (mutation === undefined) throw new Error(`There is no mutation ${name}`);
  return await mutation(args, write);
}

function stillThere(where: unknown): unknown {
  return { _and: [where, { deleted: { _eq: false } }] };
}

function row(ids: string[]): Written {
  return { form: 'row', id: ids[0] };
}

function response(ids: string[]): Written {
  return { form: 'response', ids };
}
