import { cancelBuild } from '../../apps/cancel-build.ts';
import { clearBuildCache } from '../../apps/clear-build-cache.ts';
import { cancelCommand, queueCommand } from '../../apps/commands.ts';
import { redeployAsEditor } from '../../apps/redeploy.ts';
import { restartAsEditor } from '../../apps/restart.ts';
import { resumeApp } from '../../apps/resume.ts';
import { rollBack } from '../../apps/roll-back.ts';
import { ResourceProblem } from '../../db/resources.ts';
import { type GraphqlCode, GraphqlProblem } from '../graphql-problem.ts';
import { hasKey } from '../sql/root-field.ts';
import { insertResources, type NewResource, type OnConflict } from './insert-resources.ts';
import type { UpdateArguments } from './update-arguments.ts';
import { updateResources, type WriteContext } from './update-resources.ts';

/** The rows a mutation wrote: a row or none, a response with rows, or one such response per update. */
export type MutationResult =
  | { form: 'row'; id: string | undefined }
  | { form: 'response'; ids: string[] }
  | { form: 'responses'; idsOfEach: string[][] };

type Arguments = Record<string, unknown>;
type Mutation = (args: Arguments, context: WriteContext) => Promise<MutationResult>;

/** Deleting sets `deleted`; the row stays. */
const DELETED = { _set: { deleted: true } };

const MUTATIONS: Record<string, Mutation> = {
  insert_resources: async ({ objects, on_conflict }, context) =>
    response(await insertResources(objects as NewResource[], on_conflict as OnConflict, context)),
  insert_resources_one: async ({ object, on_conflict }, context) =>
    row(await insertResources([object as NewResource], on_conflict as OnConflict, context)),
  update_resources: async ({ where, ...change }, context) =>
    response(await updateResources(where, change, context)),
  update_resources_by_pk: async ({ pk_columns, ...change }, context) =>
    row(await updateResources(hasKey(pk_columns as Arguments), change, context)),
  async update_resources_many({ updates }, context) {
    const idsOfEach: string[][] = [];
    for (const { where, ...change } of updates as (UpdateArguments & { where: unknown })[]) {
      idsOfEach.push(await updateResources(where, change, context));
    }
    return { form: 'responses', idsOfEach };
  },
  delete_resources: async ({ where }, context) =>
    response(await updateResources(andNotDeleted(where), DELETED, context)),
  delete_resources_by_pk: async (key, context) =>
    row(await updateResources(andNotDeleted(hasKey(key)), DELETED, context)),
  async redeploy_app({ id }, { tx, scope, rules }) {
    const isDone = await redeployAsEditor(tx, String(id), { editor: scope, rules });
    return row(isDone ? [String(id)] : []);
  },
  async restart_app({ id }, { tx, scope }) {
    const isDone = await restartAsEditor(tx, String(id), scope);
    return row(isDone ? [String(id)] : []);
  },
  async clear_build_cache({ id }, { tx, scope }) {
    const isDone = await clearBuildCache(tx, String(id), scope);
    return row(isDone ? [String(id)] : []);
  },
  async rollback_app({ id, release, generation }, { tx, scope, rules }) {
    const rollback = { appId: String(id), release: Number(release), generation };
    const isDone = await rollBack(tx, rollback, { editor: scope, rules });
    return row(isDone ? [String(id)] : []);
  },
  async resume_app({ id }, { tx, scope, rules }) {
    const isDone = await resumeApp(tx, String(id), { editor: scope, rules });
    return row(isDone ? [String(id)] : []);
  },
  async run_command({ id, command, timeout_seconds: timeoutSeconds }, { tx, scope, rules }) {
    const queued = { appId: String(id), command: String(command), timeoutSeconds };
    const isDone = await queueCommand(tx, queued, { editor: scope, rules });
    return row(isDone ? [String(id)] : []);
  },
  async cancel_command({ id, number }, { tx, scope }) {
    const isDone = await cancelCommand(tx, { appId: String(id), number: Number(number) }, scope);
    return row(isDone ? [String(id)] : []);
  },
  async cancel_build({ id, release }, { tx, scope }) {
    const isDone = await cancelBuild(tx, { appId: String(id), release: Number(release) }, scope);
    return row(isDone ? [String(id)] : []);
  },
};

const CODES: Record<ResourceProblem['reason'], GraphqlCode> = {
  invalid: 'validation-failed',
  constraint: 'constraint-violation',
  conflict: 'conflict',
};

/** Runs one root field of a mutation. The schema has checked its name. */
export async function runMutation(
  name: string,
  args: Arguments,
  context: WriteContext,
): Promise<MutationResult> {
  const mutation = MUTATIONS[name];
  if (mutation === undefined) throw new Error(`Unknown mutation ${name}`);
  try {
    return await mutation(args, context);
  } catch (error) {
    if (!(error instanceof ResourceProblem)) throw error;
    throw new GraphqlProblem(CODES[error.reason], error.message, '$', { cause: error });
  }
}

function andNotDeleted(where: unknown): unknown {
  return { _and: [where, { deleted: { _eq: false } }] };
}

function row(ids: string[]): MutationResult {
  return { form: 'row', id: ids[0] };
}

function response(ids: string[]): MutationResult {
  return { form: 'response', ids };
}
