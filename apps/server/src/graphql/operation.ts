import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  visit,
} from 'graphql';
import { MAX_TOKENS, requireModest } from './document-limits.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import { createSelection, type SelectedField, type Selection } from './selection.ts';
import { validationProblem } from './validation-problem.ts';
import { givenVariables } from './variables.ts';

/** One request as it came over HTTP or a socket. */
export type OperationRequest = {
  query?: unknown;
  variables?: unknown;
  operationName?: unknown;
};

/** A request that was understood: what it asks for, checked against what its caller may see. */
export type Operation = {
  document: DocumentNode;
  definition: OperationDefinitionNode;
  variables: Record<string, unknown>;
  operationName: string | undefined;
  selection: Selection;
  /** The root fields, as they will stand in the answer. */
  roots: SelectedField[];
};

type Checked = { document: DocumentNode; definition: OperationDefinitionNode };

/** Parses and checks requests. The same document is checked once: only its variables differ from call to call. */
export function createParser(): (request: OperationRequest, schema: GraphQLSchema) => Operation {
  const caches = new WeakMap<GraphQLSchema, Map<string, Checked>>();
  return (request, schema) => {
    const { query, operationName } = request;
    if (typeof query !== 'string') {
      throw new GraphqlProblem('validation-failed', 'not a valid graphql query', '$.query');
    }
    const name =
      typeof operationName === 'string' && operationName !== '' ? operationName : undefined;
    const { document, definition } = remembered(schema, `${name ?? ''}\n${query}`, () =>
      checked(query, name, schema),
    );
    const given = givenVariables(request.variables);
    const { coerced, errors } = getVariableValues(
      schema,
      definition.variableDefinitions ?? [],
      given,
      { maxErrors: 1 },
    );
    const [problem] = errors ?? [];
    if (problem !== undefined) throw validationProblem(problem, document);
    const selection = createSelection(schema, document, coerced ?? {});
    const roots = selection.fieldsOf(`${definition.operation}_root`, [definition.selectionSet]);
    return { document, definition, variables: given, operationName: name, selection, roots };
  };

  function remembered(schema: GraphQLSchema, text: string, check: () => Checked): Checked {
    const cache = caches.get(schema) ?? new Map<string, Checked>();
    caches.set(schema, cache);
    const known = cache.get(text);
    if (known !== undefined) return known;
    const found = check();
    if (text.length > MAX_REMEMBERED_LENGTH) return found;
    // The oldest makes room.
    const [oldest] = cache.keys();
    if (cache.size === MAX_REMEMBERED && oldest !== undefined) cache.delete(oldest);
    cache.set(text, found);
    return found;
  }
}

const MAX_REMEMBERED = 200;
const MAX_REMEMBERED_LENGTH = 5_000;

function checked(query: string, name: string | undefined, schema: GraphQLSchema): Checked {
  const document = parsed(query);
  const definition = definitionOf(document, name);
  requireModest(document, definition);
  if (!schema.getRootType(definition.operation)) {
    const plural = { query: 'queries', mutation: 'mutations', subscription: 'subscriptions' };
    throw new GraphqlProblem('validation-failed', `no ${plural[definition.operation]} exist`);
  }
  const [problem] = validate(schema, document, undefined, { maxErrors: 1 });
  if (problem !== undefined) throw validationProblem(problem, document);
  return { document, definition };
}

function parsed(query: string): DocumentNode {
  try {
    return jsonbForJson(parse(query, { maxTokens: MAX_TOKENS, noLocation: true }));
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
