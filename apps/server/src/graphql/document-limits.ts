import {
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { fragmentsOf } from './fragments.ts';
import { GraphqlProblem } from './graphql-problem.ts';

/** A document of more words than this is not a console's. */
export const MAX_TOKENS = 4_000;
const MAX_ROOT_FIELDS = 30;
const MAX_FIELDS = 1_000;
const MAX_DEPTH = 8;
/** Tools ask for types of types; graphql-js itself bounds how often. */
const MAX_INTROSPECTION_DEPTH = 20;
/** Each describes the whole schema, if it wants to. */
const MAX_INTROSPECTIONS = 3;
/** Of lists and objects among the arguments. */
export const MAX_VALUE_DEPTH = 100;
/** As long as a name may be in Postgres, where each key of the answer is one. */
const MAX_NAME_LENGTH = 63;

type Size = { fields: number; depth: number; aliases: number };

/** Refuses what would cost more than anybody needs, before anything costly is done with it. */
export function requireModest(document: DocumentNode, definition: OperationDefinitionNode): void {
  const size = createMeasure(document);
  requireShortNames(document);
  const roots = rootSizes(definition.selectionSet, size, document);
  if (roots.length > MAX_ROOT_FIELDS) {
    throw tooMuch(`at most ${MAX_ROOT_FIELDS} fields may be asked for at once`);
  }
  if (roots.reduce((sum, { fields }) => sum + fields, 0) > MAX_FIELDS) {
    throw tooMuch(`at most ${MAX_FIELDS} fields may be asked for in one query`);
  }
  for (const { name, depth } of roots) {
    const most = name.startsWith('__') ? MAX_INTROSPECTION_DEPTH : MAX_DEPTH;
    if (depth > most) throw tooMuch(`a query may be at most ${most} levels deep`);
  }
  requireModestIntrospection(roots);
}

/** Nothing but our own thread answers it: a name under a thousand aliases, in each field of each type, takes seconds. */
function requireModestIntrospection(roots: RootSize[]): void {
  const introspections = roots.filter(({ name }) => ['__schema', '__type'].includes(name));
  if (introspections.length > MAX_INTROSPECTIONS) {
    throw tooMuch(`at most ${MAX_INTROSPECTIONS} fields may ask about the schema`);
  }
  if (introspections.some(({ aliases }) => aliases > 0)) {
    throw tooMuch('what is asked about the schema has no aliases');
  }
}

/** How large a selection is once its fragments stand in place. Each fragment is measured once. */
function createMeasure(document: DocumentNode): (set: SelectionSetNode | undefined) => Size {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Size>();
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
    const size = known.get(name);
    if (size !== undefined) return size;
    // For one that contains itself; validation refuses it.
    known.set(name, { fields: 0, depth: 0, aliases: 0 });
    const measured = sizeOf(fragments.get(name)?.selectionSet);
    known.set(name, measured);
    return measured;
  }
}

type RootSize = Size & { name: string };

/** The root fields, also those in fragments. */
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

function requireShortNames(document: DocumentNode): void {
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
        throw tooMuch(`an alias may have at most ${MAX_NAME_LENGTH} characters`);
      }
    },
  });
}

export function tooDeepValue(): GraphqlProblem {
  return tooMuch(`a value may be at most ${MAX_VALUE_DEPTH} levels deep`);
}

function tooMuch(message: string): GraphqlProblem {
  return new GraphqlProblem('validation-failed', message);
}
