import { buildSchema, type GraphQLSchema, isScalarType } from 'graphql';
import {
  INSERT_COLUMNS,
  RESOURCE_COLUMN_NAMES,
  RESOURCE_COLUMNS,
  type ResourceColumn,
  UPDATE_COLUMNS,
} from './resource-columns.ts';

export type Role = 'user' | 'public';

/** The schema each role sees, with Hasura's names. */
export function createSchemas(): Record<Role, GraphQLSchema> {
  return { user: withScalars(buildSchema(userSdl())), public: buildSchema(PUBLIC_SDL) };
}

/** Times and big numbers leave as Hasura writes them. */
const SERIALIZERS: Record<string, (value: unknown) => unknown> = {
  timestamptz: (time) => (time as Date).toISOString().replace('Z', '+00:00'),
  bigint: Number,
};

function withScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, serialize] of Object.entries(SERIALIZERS)) {
    const scalar = schema.getType(name);
    if (isScalarType(scalar)) scalar.serialize = serialize;
  }
  return schema;
}

/** A schema needs a query; this is the name Hasura gives the one that means none. */
const PUBLIC_SDL = `
  schema { query: query_root }
  type query_root { no_queries_available: String! }
`;

const SCALARS = ['uuid', 'jsonb', 'timestamptz', 'bigint'];
const OPERATORS = ['_eq', '_neq', '_gt', '_gte', '_lt', '_lte'];
const SELECTION =
  '(where: resources_bool_exp, order_by: [resources_order_by!], limit: Int, offset: Int)';

function userSdl(): string {
  return `
    schema { query: query_root, mutation: mutation_root, subscription: subscription_root }
    ${SCALARS.map((name) => `scalar ${name}`).join('\n')}
    enum order_by {
      asc desc asc_nulls_first asc_nulls_last desc_nulls_first desc_nulls_last
    }
    type query_root {${selections()}}
    type subscription_root {${selections()}}
    type mutation_root {
      insert_resources(objects: [resources_insert_input!]!): resources_mutation_response
      insert_resources_one(object: resources_insert_input!): resources
      update_resources(where: resources_bool_exp!, _set: resources_set_input): resources_mutation_response
      update_resources_by_pk(pk_columns: resources_pk_columns_input!, _set: resources_set_input): resources
    }
    type resources {${fields(RESOURCE_COLUMN_NAMES, (column) => RESOURCE_COLUMNS[column])}}
    type resources_mutation_response { affected_rows: Int! returning: [resources!]! }
    input resources_pk_columns_input { id: uuid! }
    input resources_insert_input {${fields(INSERT_COLUMNS, nullableType)}}
    input resources_set_input {${fields(UPDATE_COLUMNS, nullableType)}}
    input resources_order_by {${fields(RESOURCE_COLUMN_NAMES, () => 'order_by')}}
    input resources_bool_exp {
      _and: [resources_bool_exp!]
      _or: [resources_bool_exp!]
      _not: resources_bool_exp
      ${fields(RESOURCE_COLUMN_NAMES, (column) => `${nullableType(column)}_comparison_exp`)}
    }
    ${[...SCALARS, 'String', 'Boolean'].map(comparisonInput).join('\n')}
  `;
}

function selections(): string {
  return `
    resources${SELECTION}: [resources!]!
    resources_by_pk(id: uuid!): resources
  `;
}

function comparisonInput(type: string): string {
  const operators = OPERATORS.map((operator) => `${operator}: ${type}`).join('\n');
  return `input ${type}_comparison_exp {
    ${operators}
    _in: [${type}!]
    _nin: [${type}!]
    _is_null: Boolean
  }`;
}

function fields(
  columns: readonly ResourceColumn[],
  typeOf: (column: ResourceColumn) => string,
): string {
  return columns.map((column) => `${column}: ${typeOf(column)}`).join('\n');
}

function nullableType(column: ResourceColumn): string {
  return RESOURCE_COLUMNS[column].replace('!', '');
}
