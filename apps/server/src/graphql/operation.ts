import { isRecord } from '@longshore/contract';
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
import { type BoundedCache, createBoundedCache } from '../cache/bounded-cache.ts';
import {
  checkDocumentLimits,
  MAX_TOKENS,
  MAX_VALUE_DEPTH,
  tooDeepValue,
} from './document-limits.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import { createSelection, type SelectedField, type Selection } from './selection.ts';
import { validationProblem } from './validation-problem.ts';

/** A request as it arrives over HTTP or a socket. */
export type OperationRequest = {
  query?: unknown;
  variables?: unknown;
  operationName?: unknown;
};

/** A parsed request, validated against the schema of its caller. */
export type Operation = {
  document: DocumentNode;
  definition: OperationDefinitionNode;
  variables: Record<string, unknown>;
  operationName: string | undefined;
  selection: Selection;
  roots: SelectedField[];
};

type ValidDocument = {
  document: DocumentNode;
  definition: OperationDefinitionNode;
  /** Of every query without variables, once there was one. */
  constant?: Operation;
};

/**
 * Parses and validates requests. Validated documents are cached; only the variables differ between calls. Queries without
 * variables share one operation.
 */
export function createParser(): (request: OperationRequest, schema: GraphQLSchema) => Operation {
  const caches = new WeakMap<GraphQLSchema, BoundedCache<ValidDocument>>();
  return (request, schema) => {
    const { query, operationName } = request;
    if (typeof query !== 'string') {
      throw new GraphqlProblem('validation-failed', 'not a valid graphql query', '$.query');
    }
    const name =
      typeof operationName === 'string' && operationName !== '' ? operationName : undefined;
    const valid = cached(schema, `${name ?? ''}\n${query}`, () =>
      validateDocument(query, name, schema),
    );
    const variables = readVariables(request.variables);
    if (valid.definition.operation === 'mutation' || Object.keys(variables).length > 0) {
      return operationOf(valid, variables, name, schema);
    }
    valid.constant ??= operationOf(valid, variables, name, schema);
    return valid.constant;
  };

  function operationOf(
    { document, definition }: ValidDocument,
    variables: Record<string, unknown>,
    name: string | undefined,
    schema: GraphQLSchema,
  ): Operation {
    const { coerced, errors } = getVariableValues(
      schema,
      definition.variableDefinitions ?? [],
      variables,
      { maxErrors: 1 },
    );
    const [problem] = errors ?? [];
    if (problem !== undefined) throw validationProblem(problem, document);
    const selection = createSelection(schema, document, coerced ?? {});
    const roots = selection.fieldsOf(`${definition.operation}_root`, [definition.selectionSet]);
    return { document, definition, variables, operationName: name, selection, roots };
  }

  function cached(schema: GraphQLSchema, text: string, check: () => ValidDocument): ValidDocument {
    const cache = caches.get(schema) ?? createBoundedCache<ValidDocument>(MAX_CACHED);
    caches.set(schema, cache);
    const hit = cache.get(text);
    if (hit !== undefined) return hit;
    const validated = check();
    if (text.length <= MAX_CACHED_LENGTH) cache.set(text, validated);
    return validated;
  }
}

const MAX_CACHED = 200;
const MAX_CACHED_LENGTH = 5_000;

function validateDocument(
  query: string,
  name: string | undefined,
  schema: GraphQLSchema,
): ValidDocument {
  const document = parseDocument(query);
  const definition = definitionOf(document, name);
  checkDocumentLimits(document, definition);
  if (!schema.getRootType(definition.operation)) {
    const plural = { query: 'queries', mutation: 'mutations', subscription: 'subscriptions' };
    throw new GraphqlProblem('validation-failed', `no ${plural[definition.operation]} exist`);
  }
  const [problem] = validate(schema, document, undefined, { maxErrors: 1 });
  if (problem !== undefined) throw validationProblem(problem, document);
  return { document, definition };
}

function parseDocument(query: string): DocumentNode {
  try {
    return replaceJsonType(parse(query, { maxTokens: MAX_TOKENS, noLocation: true }));
  } catch (error) {
    const message = error instanceof GraphQLError ? error.message : 'not a valid graphql query';
    throw new GraphqlProblem('validation-failed', message, '$.query', { cause: error });
  }
}

/** Treats the type `json` as `jsonb`, so that clients written for either work. */
function replaceJsonType(document: DocumentNode): DocumentNode {
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

/** The variables of a request, before coercion. */
function readVariables(variables: unknown): Record<string, unknown> {
  if (variables === undefined || variables === null) return {};
  if (!isRecord(variables)) {
    throw new GraphqlProblem('parse-failed', 'variables must be an object', '$.variables');
  }
  if (isDeeper(variables, MAX_VALUE_DEPTH)) throw tooDeepValue();
  return variables;
}

/** Iterates by level: recursion into a very deep value would overflow the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  }
  return false;
}
