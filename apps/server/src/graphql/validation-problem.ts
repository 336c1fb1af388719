import { type ASTNode, type DocumentNode, type GraphQLError, Kind, visit } from 'graphql';
import { GraphqlProblem } from './graphql-problem.ts';

const UNKNOWN_FIELD = /^Cannot query field "([^"]+)" on type "([^"]+)"/;
const UNKNOWN_INPUT = /^Field "([^"]+)" is not defined by type "([^"]+)"/;
const MISSING_VARIABLE = /^Variable "\$([^"]+)" of required type ".+" was not provided/;
const SEVERAL_ROOT_FIELDS = /must select only one top level field/;

/** Translates an error of graphql-js into Hasura's message, where clients know one. */
export function validationProblem(error: GraphQLError, document: DocumentNode): GraphqlProblem {
  const [, field, type] =
    UNKNOWN_FIELD.exec(error.message) ?? UNKNOWN_INPUT.exec(error.message) ?? [];
  if (field !== undefined) {
    const message = `field '${field}' not found in type: '${type}'`;
    return new GraphqlProblem('validation-failed', message, pathOf(error.nodes?.[0], document));
  }
  return new GraphqlProblem('validation-failed', messageOf(error));
}

function messageOf({ message }: GraphQLError): string {
  if (SEVERAL_ROOT_FIELDS.test(message)) return 'subscriptions must select one top level field';
  const [, variable] = MISSING_VARIABLE.exec(message) ?? [];
  return variable === undefined
    ? message
    : `expecting a value for non-nullable variable: "${variable}"`;
}

/** The path of a field: `$.selectionSet.resources.selectionSet.x`. */
function pathOf(target: ASTNode | undefined, document: DocumentNode): string {
  let path = '$';
  const names: string[] = [];
  visit(document, {
    [Kind.FIELD]: {
      enter(node) {
        names.push(`selectionSet.${node.name.value}`);
        if (node === target) path = `$.${names.join('.')}`;
      },
      leave() {
        names.pop();
      },
    },
  });
  return path;
}
