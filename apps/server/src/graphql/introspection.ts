import { executeSync, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import type { Operation } from './operation.ts';
import type { SelectedField } from './selection.ts';

/** A root field that no table answers: about the schema itself, or the word that there is nothing. */
export function schemaJson(
  field: SelectedField,
  { document, definition, variables }: Operation,
  schema: GraphQLSchema,
): string | undefined {
  if (field.name === '__typename') return JSON.stringify(`${definition.operation}_root`);
  if (field.name === 'no_queries_available') return JSON.stringify(NO_QUERIES);
  if (!field.name.startsWith('__')) return undefined;
  const alone: OperationDefinitionNode = {
    ...definition,
    selectionSet: { ...definition.selectionSet, selections: field.nodes },
  };
  const definitions = document.definitions.map((each) => (each === definition ? alone : each));
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
