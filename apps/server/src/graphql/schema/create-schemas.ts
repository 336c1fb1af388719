import { buildSchema, type GraphQLSchema } from 'graphql';
import type { ColumnType, Role, Table, TableName } from '../tables/table.ts';
import { aggregateSdl } from './aggregate-sdl.ts';
import { comparisonSdl } from './comparison-sdl.ts';
import { mutationFields, mutationSdl, REDEPLOY_FIELD, ROLLBACK_FIELD } from './mutation-sdl.ts';
import { block } from './sdl.ts';
import { selectFields, selectSdl } from './select-sdl.ts';
import { streamField, streamSdl } from './stream-sdl.ts';

export type Schemas = Record<Role | 'public', GraphQLSchema>;

/** The schema each role sees, with Hasura's names. Made when it is first asked for: few ever need the operator's. */
export function createSchemas(tables: Record<TableName, Table>): Schemas {
  const made = new Map<string, GraphQLSchema>();
  const schemaOf = (role: keyof Schemas, sdl: () => string): GraphQLSchema => {
    const schema = made.get(role) ?? buildSchema(sdl());
    made.set(role, schema);
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

/** A schema needs a query; this is the name Hasura gives the one that means none. */
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
      ROLLBACK_FIELD,
    ]),
    ...tables.flatMap((table) => [
      selectSdl(table, role, tableOf),
      aggregateSdl(table, role),
      streamSdl(table, role),
      mutationSdl(table, role),
    ]),
  ].join('\n');
}
