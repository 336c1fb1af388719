import { buildSchema, type GraphQLSchema } from 'graphql';
import type { ColumnType, Role, Table, TableName } from '../tables/table.ts';
import {
  CANCEL_COMMAND_FIELD,
  CANCEL_FIELD,
  CLEAR_CACHE_FIELD,
  mutationFields,
  mutationSdl,
  REDEPLOY_FIELD,
  RESTART_FIELD,
  RESUME_FIELD,
  ROLLBACK_FIELD,
  RUN_COMMAND_FIELD,
} from './mutation-sdl.ts';
import {
  aggregateSdl,
  comparisonSdl,
  selectFields,
  selectSdl,
  streamField,
  streamSdl,
} from './query-sdl.ts';
import { block } from './sdl.ts';

export type Schemas = Record<Role | 'public', GraphQLSchema>;

/** The schema of each role, with Hasura's names. Built on first use: the admin's is rarely needed. */
export function createSchemas(tables: Record<TableName, Table>): Schemas {
  const built = new Map<string, GraphQLSchema>();
  const schemaOf = (role: keyof Schemas, sdl: () => string): GraphQLSchema => {
    const schema = built.get(role) ?? buildSchema(sdl());
    built.set(role, schema);
    return schema;
  };
  const all = Object.values(tables);
  return {
    get user() {
      return schemaOf('user', () => roleSdl(all, 'user'));
    },
    get admin() {
      return schemaOf('admin', () => roleSdl(all, 'admin'));
    },
    get public() {
      return schemaOf('public', () => PUBLIC_SDL);
    },
  };
}

/** A GraphQL schema needs a query field; Hasura gives it this name if there are none. */
const PUBLIC_SDL = `
  schema { query: query_root }
  type query_root { no_queries_available: String! }
`;

const SCALARS = ['uuid', 'jsonb', 'timestamptz', 'bigint'];
const TYPES: ColumnType[] = ['uuid', 'String', 'jsonb', 'timestamptz', 'Boolean', 'bigint', 'Int'];
const ORDERS = [
  'asc',
  'asc_nulls_first',
  'asc_nulls_last',
  'desc',
  'desc_nulls_first',
  'desc_nulls_last',
];

function roleSdl(tables: Table[], role: Role): string {
  const tableOf = (name: string) => tables.find((table) => table.name === name) as Table;
  return [
    'schema { query: query_root, mutation: mutation_root, subscription: subscription_root }',
    ...SCALARS.map((name) => `scalar ${name}`),
    block('enum order_by', ORDERS),
    block('enum cursor_ordering', ['ASC', 'DESC']),
    comparisonSdl(TYPES),
    block('type query_root', tables.flatMap(selectFields)),
    block(
      'type subscription_root',
      tables.flatMap((table) => [...selectFields(table), streamField(table)]),
    ),
    block('type mutation_root', [
      ...tables.flatMap((table) => mutationFields(table, role)),
      REDEPLOY_FIELD,
      RESTART_FIELD,
      CLEAR_CACHE_FIELD,
      ROLLBACK_FIELD,
      RESUME_FIELD,
      CANCEL_FIELD,
      RUN_COMMAND_FIELD,
      CANCEL_COMMAND_FIELD,
    ]),
    ...tables.flatMap((table) => [
      selectSdl(table, role, tableOf),
      aggregateSdl(table, role),
      streamSdl(table, role),
      mutationSdl(table, role),
    ]),
  ].join('\n');
}
