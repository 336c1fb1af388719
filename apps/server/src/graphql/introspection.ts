import { executeSync, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import type { Operation } from './operation.ts';
import type { SelectedField } from './selection.ts';

/** The JSON text of a root field that needs no table. Undefined for every other field. */
export function introspectionJson(
  field: SelectedField,
  { document, definition, variables }: Operation,
  schema: GraphQLSchema,
): string | undefined {
  if (field.name === '__typename') return JSON.stringify(`${definition.operation}_root`);
  if (field.name === 'no_queries_available') return JSON.stringify(NO_QUERIES);
  if (!field.name.startsWith('__')) return undefined;
  const singleField: OperationDefinitionNode = {
    ...definition,
    selectionSet: { ...definition.selectionSet, selections: field.nodes },
  };
  const definitions = document.definitions.map((each) =>
    each === definition ? singleField : each,
  );
  const { data, errors } = executeSync({
    schema,
    document: { ...document, definitions },
    variableValues: variables,
    operationName: definition.name?.value,
  });
  if (errors?.[0] !== undefined) throw errors[0];
  return JSON.stringify(data?.[field.key] ?? null);
}

const NO_QUERIES = 'There are no queries available to the current role.';
