import { columnsWith } from '../tables/column-types.ts';
import { JSONB_UPDATE_OPERATORS } from '../tables/operators.ts';
import type { Role, Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { block, nullableColumns } from './sdl.ts';

/** The generation that an edit is based on; an outdated one is refused. Not part of Hasura. */
const GENERATION = 'generation: bigint';

/** Redeploys an app with its current values. Not part of Hasura. */
export const REDEPLOY_FIELD = 'redeploy_app(id: uuid!): resources';

/** Restarts a running app, or ends the back-off of a failing one. Not part of Hasura. */
export const RESTART_FIELD = 'restart_app(id: uuid!): resources';

/** Makes the next build start without a cache. Not part of Hasura. */
export const CLEAR_CACHE_FIELD = 'clear_build_cache(id: uuid!): resources';

/** Sets an app's values to those of a retained release. Not part of Hasura. */
export const ROLLBACK_FIELD = `rollback_app(id: uuid!, release: Int!, ${GENERATION}): resources`;

/** Ends the pin of a rollback. Not part of Hasura. */
export const RESUME_FIELD = 'resume_app(id: uuid!): resources';

/** Cancels a release that is in progress. Not part of Hasura. */
export const CANCEL_FIELD = 'cancel_build(id: uuid!, release: Int!): resources';

/** Runs a command once in an app. Not part of Hasura. */
export const RUN_COMMAND_FIELD =
  'run_command(id: uuid!, command: String!, timeout_seconds: Int): resources';

/** Ends a command that runs. Not part of Hasura. */
export const CANCEL_COMMAND_FIELD = 'cancel_command(id: uuid!, number: Int!): resources';

export function mutationFields(table: Table, role: Role): string[] {
  const { name, primaryKey } = table;
  const { insert, update } = table.roles[role];
  const key = primaryKey.map((column) => `${column}: ${typeOf(table, column)}!`).join(', ');
  const conflict = update === undefined ? '' : `, on_conflict: ${name}_on_conflict`;
  const changes = [...changeArguments(table, role), GENERATION].join(', ');
  const inserts = [
    `insert_${name}(objects: [${name}_insert_input!]!${conflict}): ${name}_mutation_response`,
    `insert_${name}_one(object: ${name}_insert_input!${conflict}): ${name}`,
  ];
  const updates = [
    `update_${name}(where: ${name}_bool_exp!, ${changes}): ${name}_mutation_response`,
    `update_${name}_by_pk(pk_columns: ${name}_pk_columns_input!, ${changes}): ${name}`,
    `update_${name}_many(updates: [${name}_updates!]!): [${name}_mutation_response]`,
  ];
  const deletes = [
    `delete_${name}(where: ${name}_bool_exp!): ${name}_mutation_response`,
    `delete_${name}_by_pk(${key}): ${name}`,
  ];
  return [
    ...(insert === undefined ? [] : inserts),
    ...(update === undefined ? [] : updates),
    // Deleting is an update of `deleted`; the row stays.
    ...(update?.includes('deleted') ? deletes : []),
  ];
}

export function mutationSdl(table: Table, role: Role): string {
  const { name, primaryKey } = table;
  const { insert = [], update = [] } = table.roles[role];
  if (insert.length + update.length === 0) return '';
  const jsonb = jsonbColumns(table, role);
  return [
    block(`type ${name}_mutation_response`, ['affected_rows: Int!', `returning: [${name}!]!`]),
    block(`input ${name}_insert_input`, nullableColumns(table, insert)),
    block(`input ${name}_set_input`, nullableColumns(table, update)),
    ...Object.entries(JSONB_UPDATE_OPERATORS).map(([change, type]) =>
      block(
        `input ${name}_${change}_input`,
        jsonb.map((column) => `${column}: ${type}`),
      ),
    ),
    block(
      `input ${name}_pk_columns_input`,
      primaryKey.map((column) => `${column}: ${typeOf(table, column)}!`),
    ),
    block(`input ${name}_updates`, [
      `where: ${name}_bool_exp!`,
      ...changeArguments(table, role),
      GENERATION,
    ]),
    block(`enum ${name}_constraint`, [`${name}_pkey`]),
    block(`enum ${name}_update_column`, update),
    block(`input ${name}_on_conflict`, [
      `constraint: ${name}_constraint!`,
      `update_columns: [${name}_update_column!]! = []`,
      `where: ${name}_bool_exp`,
    ]),
  ].join('\n');
}

function changeArguments(table: Table, role: Role): string[] {
  const changes = jsonbColumns(table, role).length === 0 ? [] : Object.keys(JSONB_UPDATE_OPERATORS);
  return ['set', ...changes].map((change) => `_${change}: ${table.name}_${change}_input`);
}

function jsonbColumns(table: Table, role: Role): string[] {
  return columnsWith(table, table.roles[role].update ?? [], (_, type) => type === 'jsonb');
}
