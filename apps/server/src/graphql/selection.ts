import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** A field of the result, under its key. */
export type SelectedField = {
  key: string;
  name: string;
  args: Record<string, unknown>;
  nodes: FieldNode[];
};

/** The fields that a document selects, with fragments and directives resolved. */
export type Selection = {
  fieldsOf(typeName: string, sets: SelectionSetNode[]): SelectedField[];
  fieldsBelow(typeName: string, field: SelectedField): SelectedField[];
};

export function createSelection(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Record<string, unknown>,
): Selection {
  const fragments = fragmentsOf(document);
  return { fieldsOf, fieldsBelow };

  function fieldsBelow(typeName: string, { nodes }: SelectedField): SelectedField[] {
    return fieldsOf(
      typeName,
      nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
    );
  }

  function fieldsOf(typeName: string, sets: SelectionSetNode[]): SelectedField[] {
    const nodesByKey = new Map<string, FieldNode[]>();
    for (const set of sets) collect(set, nodesByKey, new Set());
    return [...nodesByKey].map(([key, nodes]) => selectedField(typeName, key, nodes));
  }

  function collect(
    set: SelectionSetNode,
    nodesByKey: Map<string, FieldNode[]>,
    spread: Set<string>,
  ): void {
    for (const selection of set.selections) {
      if (!isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        nodesByKey.set(key, [...(nodesByKey.get(key) ?? []), selection]);
        continue;
      }
      const inner = innerSet(selection, spread);
      if (inner !== undefined) collect(inner, nodesByKey, spread);
    }
  }

  function innerSet(
    selection: Exclude<SelectionNode, FieldNode>,
    spread: Set<string>,
  ): SelectionSetNode | undefined {
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet;
    const name = selection.name.value;
    if (spread.has(name)) return undefined;
    spread.add(name);
    return fragments.get(name)?.selectionSet;
  }

  function isIncluded(node: SelectionNode): boolean {
    if (node.directives === undefined || node.directives.length === 0) return true;
    const skip = getDirectiveValues(GraphQLSkipDirective, node, variables);
    const include = getDirectiveValues(GraphQLIncludeDirective, node, variables);
    return skip?.if !== true && include?.if !== false;
  }

  function selectedField(typeName: string, key: string, nodes: FieldNode[]): SelectedField {
    const [node] = nodes as [FieldNode];
    const name = node.name.value;
    const type = schema.getType(typeName);
    const definition = isObjectType(type) ? type.getFields()[name] : undefined;
    const args = definition === undefined ? {} : getArgumentValues(definition, node, variables);
    return { key, name, args, nodes };
  }
}

export function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}
