import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { TableName } from '../src/graphql/tables/table.ts';

/** A row of each table, as its owner sees it. */
export type Rows = Record<TableName, Record<string, unknown>>;

/** A document, and variables that name another user's rows. */
export type Attack = {
  name: string;
  query: string;
  variables: (target: Rows) => Record<string, unknown>;
};

/** How deep related rows are selected. */
const LEVELS = 2;

/**
 * For every root field and every argument of it, a query that names another user's rows through the argument and
 * selects every field. Throws for an unknown argument, so that a new one has to be added here.
 */
export function attacksOf(root: GraphQLObjectType, operation: 'query' | 'subscription'): Attack[] {
  return Object.values(root.getFields()).flatMap((field) => attacksOn(field, operation));
}

type Field = GraphQLField<unknown, unknown>;
type Values = (target: Rows) => Record<string, unknown>;

function attacksOn(field: Field, operation: string): Attack[] {
  const required = field.args.filter(isRequiredArgument);
  const optional = field.args.filter((each) => !isRequiredArgument(each));
  const bases = productOf(required.map((each) => valuesFor(each, field)));
  const attempts = [
    ...bases,
    ...optional.flatMap((each) => withBase(bases, valuesFor(each, field))),
  ];
  return attempts.map((attempt) => ({
    name: `${field.name} by ${attempt.name || 'nothing'}`,
    query: documentFor(field, operation, attempt.names),
    variables: attempt.values,
  }));
}

type Attempt = { name: string; names: string[]; values: Values };

function documentFor(field: Field, operation: string, names: string[]): string {
  const used = field.args.filter(({ name }) => names.includes(name));
  const declared = used.map((each) => `$${each.name}: ${each.type}`).join(', ');
  const passed = used.map(({ name }) => `${name}: $${name}`).join(', ');
  const header = used.length === 0 ? operation : `${operation} (${declared})`;
  const call = used.length === 0 ? field.name : `${field.name}(${passed})`;
  return `${header} { ${call} ${selectionOf(field.type, LEVELS)} }`;
}

/** Every leaf, and related rows up to the given depth. */
function selectionOf(type: GraphQLOutputType, levels: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (isLeafType(getNamedType(field.type))) return [field.name];
    const isRelated = !named.name.includes('_aggregate');
    if (isRelated && levels === 0) return [];
    return [`${field.name} ${selectionOf(field.type, isRelated ? levels - 1 : levels)}`];
  });
  return `{ ${fields.join(' ')} }`;
}

/** Values of an argument that name another user's rows. */
function valuesFor(argument: GraphQLArgument, field: Field): Attempt[] {
  const { name } = argument;
  const table = tableOf(field.name);
  const attempt = (detail: string, value: (target: Rows) => unknown): Attempt => ({
    name: `${name} ${detail}`,
    names: [name],
    values: (target) => ({ [name]: value(target) }),
  });
  const named = getNamedType(argument.type);
  switch (name) {
    case 'limit':
    case 'batch_size':
      return [attempt('10', () => 10)];
    case 'offset':
      return [attempt('0', () => 0)];
    case 'distinct_on':
      if (!isEnumType(named)) break;
      return named.getValues().map((each) => attempt(each.name, () => [each.name]));
    case 'order_by':
    case 'where':
      return pathsInto(named as GraphQLInputObjectType, 2).map(({ path, tableName }) =>
        attempt(path.join('.'), (target) => {
          const column = path.at(-1) ?? '';
          const leaf = name === 'where' ? { _eq: target[tableName ?? table][column] } : 'desc';
          return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), leaf);
        }),
      );
    case 'cursor':
      return cursorColumns(named as GraphQLInputObjectType).map((column) =>
        attempt(column, () => [{ initial_value: { [column]: null } }]),
      );
    default:
      if (isLeafType(named)) return [attempt('of the target', (target) => target[table][name])];
  }
  throw new Error(`No attack for the argument ${name} of ${field.name}`);
}

type Path = { path: string[]; tableName: TableName | undefined };

/** The columns that a condition or an order can name, including those of related rows. */
function pathsInto(type: GraphQLInputObjectType, levels: number): Path[] {
  const tableName = tableOf(type.name);
  return Object.values(type.getFields()).flatMap((field): Path[] => {
    const inner = getNamedType(field.type);
    if (field.name.startsWith('_')) return [];
    const isColumn = !isInputObjectType(inner) || inner.name.endsWith('_comparison_exp');
    if (isColumn) return [{ path: [field.name], tableName }];
    if (levels === 0) return [];
    return pathsInto(inner, levels - 1).map((each) => ({
      ...each,
      path: [field.name, ...each.path],
    }));
  });
}

function cursorColumns(type: GraphQLInputObjectType): string[] {
  const values = getNamedType(type.getFields().initial_value?.type);
  if (!isInputObjectType(values)) throw new Error('A cursor has no initial_value');
  const columns = Object.values(values.getFields());
  return columns.filter(({ type: each }) => String(each) !== 'jsonb').map(({ name }) => name);
}

function tableOf(name: string): TableName {
  return name.split('_')[0] as TableName;
}

/** All combinations of values for the required arguments. */
function productOf(choices: Attempt[][]): Attempt[] {
  const nothing: Attempt = { name: '', names: [], values: () => ({}) };
  return choices.reduce<Attempt[]>((bases, choice) => withBase(bases, choice), [nothing]);
}

function withBase(bases: Attempt[], choice: Attempt[]): Attempt[] {
  return bases.flatMap((base) =>
    choice.map((each) => ({
      name: [base.name, each.name].filter((part) => part !== '').join(', '),
      names: [...base.names, ...each.names],
      values: (target: Rows) => ({ ...base.values(target), ...each.values(target) }),
    })),
  );
}
