import {
  type DocumentNode,
  type FragmentSpreadNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
  visit,
} from 'graphql';
import { GraphqlProblem } from './graphql-problem.ts';

/** One request as it came over HTTP or a socket. */
export type OperationRequest = {
  query?: unknown;
  variables?: unknown;
  operationName?: unknown;
};

export type Operation = {
  document: DocumentNode;
  definition: OperationDefinitionNode;
  variables: Record<string, unknown>;
  operationName: string | undefined;
};

/** A query of more words than this is not a console's. */
const MAX_TOKENS = 4_000;
const MAX_ROOT_FIELDS = 30;

/** Parses and checks a request against the schema its caller sees. */
export function parseOperation(request: OperationRequest, schema: GraphQLSchema): Operation {
  const { query, variables, operationName } = request;
  if (typeof query !== 'string') {
    throw new GraphqlProblem('validation-failed', 'not a valid graphql query', '$.query');
  }
  const document = parsed(query);
  const name =
    typeof operationName === 'string' && operationName !== '' ? operationName : undefined;
  const definition = definitionOf(document, name);
  const [problem] = validate(schema, document, undefined, { maxErrors: 1 });
  if (problem !== undefined) throw problem;
  if (rootFields(definition.selectionSet, document, new Set()) > MAX_ROOT_FIELDS) {
    throw new GraphqlProblem(
      'validation-failed',
      `at most ${MAX_ROOT_FIELDS} fields may be asked for at once`,
    );
  }
  return {
    document,
    definition,
    variables: (variables ?? {}) as Record<string, unknown>,
    operationName: name,
  };
}

function parsed(query: string): DocumentNode {
  try {
    return jsonbForJson(parse(query, { maxTokens: MAX_TOKENS }));
  } catch (error) {
    const message = error instanceof GraphQLError ? error.message : 'not a valid graphql query';
    throw new GraphqlProblem('validation-failed', message, '$.query', { cause: error });
  }
}

/** A variable declared `json` is as good as `jsonb`: clients written for either must work. */
function jsonbForJson(document: DocumentNode): DocumentNode {
  return visit(document, {
    [Kind.NAMED_TYPE]: (node) =>
      node.name.value === 'json' ? { ...node, name: { ...node.name, value: 'jsonb' } } : undefined,
  });
}

/** Counts what stands in fragments too, each fragment once. */
function rootFields(set: SelectionSetNode, document: DocumentNode, seen: Set<string>): number {
  return set.selections
    .map((selection) => {
      if (selection.kind === Kind.FIELD) return 1;
      const inner = innerSelection(selection, document, seen);
      return inner === undefined ? 0 : rootFields(inner, document, seen);
    })
    .reduce((sum, count) => sum + count, 0);
}

function innerSelection(
  selection: FragmentSpreadNode | InlineFragmentNode,
  document: DocumentNode,
  seen: Set<string>,
): SelectionSetNode | undefined {
  if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet;
  const name = selection.name.value;
  if (seen.has(name)) return undefined;
  seen.add(name);
  return document.definitions
    .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
    .find((each) => each.name.value === name)?.selectionSet;
}

function definitionOf(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const definition = getOperationAST(document, name);
  if (definition) return definition;
  throw new GraphqlProblem(
    'validation-failed',
    name === undefined
      ? 'exactly one operation has to be present in the document when operationName is not specified'
      : `no such operation found in the document: "${name}"`,
  );
}
