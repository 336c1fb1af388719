import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { GraphqlProblem } from './graphql-problem.ts';
import { fragmentsOf } from './selection.ts';

export const MAX_TOKENS = 4_000;
const MAX_ROOT_FIELDS = 30;
const MAX_FIELDS = 1_000;
const MAX_DEPTH = 8;
/** Introspection queries of tools nest deeply; graphql-js itself limits the list types in them. */
const MAX_INTROSPECTION_DEPTH = 20;
/** Each can describe the whole schema. */
const MAX_INTROSPECTIONS = 3;
/** Nesting of lists and objects in arguments. */
export const MAX_VALUE_DEPTH = 100;
/** The maximum length of a name in Postgres, where each key of the result becomes a column. */
const MAX_NAME_LENGTH = 63;

type Size = { fields: number; depth: number; aliases: number };

/** Refuses documents that are too large, before validation and execution. */
export function checkDocumentLimits(
  document: DocumentNode,
  definition: OperationDefinitionNode,
): void {
  const size = createSizeOf(document);
  checkNamesAndValues(document);
  const roots = rootSizes(definition.selectionSet, size, document);
  if (roots.length > MAX_ROOT_FIELDS) {
    throw limitExceeded(`at most ${MAX_ROOT_FIELDS} root fields are allowed`);
  }
  if (roots.reduce((sum, { fields }) => sum + fields, 0) > MAX_FIELDS) {
    throw limitExceeded(`at most ${MAX_FIELDS} fields are allowed in one query`);
  }
  for (const { name, depth } of roots) {
    const maxDepth = name.startsWith('__') ? MAX_INTROSPECTION_DEPTH : MAX_DEPTH;
    if (depth > maxDepth) throw limitExceeded(`a query may be at most ${maxDepth} levels deep`);
  }
  checkIntrospectionLimits(roots);
}

/** Introspection runs on the main thread: a thousand aliases in each field of each type would block it for seconds. */
function checkIntrospectionLimits(roots: RootSize[]): void {
  const introspections = roots.filter(({ name }) => ['__schema', '__type'].includes(name));
  if (introspections.length > MAX_INTROSPECTIONS) {
    throw limitExceeded(`at most ${MAX_INTROSPECTIONS} introspection fields are allowed`);
  }
  if (introspections.some(({ aliases }) => aliases > 0)) {
    throw limitExceeded('introspection fields may have no aliases');
  }
}

/** Measures a selection with its fragments expanded. Each fragment is measured once. */
function createSizeOf(document: DocumentNode): (set: SelectionSetNode | undefined) => Size {
  const fragments = fragmentsOf(document);
  const measured = new Map<string, Size>();
  return sizeOf;

  function sizeOf(set: SelectionSetNode | undefined): Size {
    const sizes = (set?.selections ?? []).map((selection): Size => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return fragmentSize(selection.name.value);
      const inner = sizeOf(selection.selectionSet);
      return selection.kind === Kind.FIELD
        ? {
            fields: inner.fields + 1,
            depth: inner.depth + 1,
            aliases: inner.aliases + (selection.alias === undefined ? 0 : 1),
          }
        : inner;
    });
    return {
      fields: sizes.reduce((sum, { fields }) => sum + fields, 0),
      depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
      aliases: sizes.reduce((sum, { aliases }) => sum + aliases, 0),
    };
  }

  function fragmentSize(name: string): Size {
    const size = measured.get(name);
    if (size !== undefined) return size;
    // Ends the recursion of a fragment that contains itself, which validation refuses later.
    measured.set(name, { fields: 0, depth: 0, aliases: 0 });
    const expanded = sizeOf(fragments.get(name)?.selectionSet);
    measured.set(name, expanded);
    return expanded;
  }
}

type RootSize = Size & { name: string };

/** The root fields, including those in fragments. */
function rootSizes(
  set: SelectionSetNode,
  sizeOf: (set: SelectionSetNode | undefined) => Size,
  document: DocumentNode,
): RootSize[] {
  const fragments = fragmentsOf(document);
  const spread = new Set<string>();
  return rootsOf(set);

  function rootsOf(inner: SelectionSetNode): RootSize[] {
    return inner.selections.flatMap((selection): RootSize[] => {
      if (selection.kind === Kind.FIELD) {
        const { fields, depth, aliases } = sizeOf(selection.selectionSet);
        return [{ name: selection.name.value, fields: fields + 1, depth: depth + 1, aliases }];
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) return rootsOf(selection.selectionSet);
      const name = selection.name.value;
      const fragment = spread.has(name) ? undefined : fragments.get(name);
      spread.add(name);
      return fragment === undefined ? [] : rootsOf(fragment.selectionSet);
    });
  }
}

function checkNamesAndValues(document: DocumentNode): void {
  let depth = 0;
  const container = {
    enter() {
      depth += 1;
      if (depth > MAX_VALUE_DEPTH) throw tooDeepValue();
    },
    leave() {
      depth -= 1;
    },
  };
  visit(document, {
    [Kind.OBJECT]: container,
    [Kind.LIST]: container,
    [Kind.FIELD](node) {
      if ((node.alias?.value.length ?? 0) > MAX_NAME_LENGTH) {
        throw limitExceeded(`an alias may have at most ${MAX_NAME_LENGTH} characters`);
      }
    },
  });
}

export function tooDeepValue(): GraphqlProblem {
  return limitExceeded(`a value may be at most ${MAX_VALUE_DEPTH} levels deep`);
}

function limitExceeded(message: string): GraphqlProblem {
  return new GraphqlProblem('validation-failed', message);
}
