import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionSetNode,
} from "graphql";

/** Where fragments and variables of a request are found. */
export interface RequestParts {
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A field that is asked for, under the name that its answer has; nodes of the same name are one. */
export interface SelectedField {
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
}

/** The fields below some nodes: through fragments, without what is skipped. */
export function fieldsBelow(nodes: readonly FieldNode[], parts: RequestParts): SelectedField[] {
  const found = new Map<string, { key: string; name: string; nodes: FieldNode[] }>();
  const seen = new Set<string>();
  for (const { selectionSet } of nodes) if (selectionSet !== undefined) collect(selectionSet, parts, found, seen);
  return [...found.values()];
}

function collect(
  { selections }: SelectionSetNode,
  parts: RequestParts,
  found: Map<string, { key: string; name: string; nodes: FieldNode[] }>,
  seen: Set<string>,
): void {
  for (const selection of selections) {
    if (getDirectiveValues(GraphQLSkipDirective, selection, parts.variables)?.["if"] === true) continue;
    if (getDirectiveValues(GraphQLIncludeDirective, selection, parts.variables)?.["if"] === false) continue;
    if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, parts, found, seen);
    else if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value;
      const fragment = parts.fragments[name];
      if (fragment === undefined || seen.has(name)) continue;
      seen.add(name);
      collect(fragment.selectionSet, parts, found, seen);
    } else {
      const key = selection.alias?.value ?? selection.name.value;
      const known = found.get(key);
      if (known === undefined) found.set(key, { key, name: selection.name.value, nodes: [selection] });
      else known.nodes.push(selection);
    }
  }
}
