import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

/** Where fragments and variables of a request are found. */
export interface RequestParts {
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A requested field, under the name in its answer; nodes of the same name are one. */
export interface SelectedField {
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
}

/** The fields below some nodes: through fragments, without what is skipped. */
export function fieldsBelow(nodes: readonly FieldNode[], parts: RequestParts): SelectedField[] {
  const fields = new FieldCollector(parts);
  for (const { selectionSet } of nodes) if (selectionSet !== undefined) fields.collect(selectionSet);
  return [...fields.found.values()];
}

class FieldCollector {
  readonly found = new Map<string, { key: string; name: string; nodes: FieldNode[] }>();
  readonly #parts: RequestParts;
  /** Names of fragments. */
  readonly #seen = new Set<string>();

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (this.#isSkipped(selection)) continue;
      if (selection.kind === Kind.INLINE_FRAGMENT) this.collect(selection.selectionSet);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) this.#collectFragment(selection.name.value);
      else this.#add(selection);
    }
  }

  #isSkipped(selection: SelectionNode): boolean {
    const { variables } = this.#parts;
    return (
      getDirectiveValues(GraphQLSkipDirective, selection, variables)?.["if"] === true ||
      getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.["if"] === false
    );
  }

  #collectFragment(name: string): void {
    const fragment = this.#parts.fragments[name];
    if (fragment === undefined || this.#seen.has(name)) return;
    this.#seen.add(name);
    this.collect(fragment.selectionSet);
  }

  #add(field: FieldNode): void {
    const key = field.alias?.value ?? field.name.value;
    const known = this.found.get(key);
    if (known === undefined) this.found.set(key, { key, name: field.name.value, nodes: [field] });
    else known.nodes.push(field);
  }
}
