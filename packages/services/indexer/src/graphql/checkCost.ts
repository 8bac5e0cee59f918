import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import type { CostLimits } from "./graphqlLimits.js";

/** Refuses a request that is too large before anything of it is worked out. @throws {GraphQLError} that names the field */
export function checkCost(document: DocumentNode, limits: CostLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  const counter = new Counter(fragments, limits);
  for (const { selectionSet } of operations) counter.countOperation(selectionSet);
  // Uncounted parts would be walked nevertheless, before they are refused.
  for (const name of fragments.keys())
    if (!counter.used.has(name)) throw new GraphQLError(`The fragment ${name} is not used.`);
}

class Counter {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #limits: CostLimits;
  /** Fragments that were counted. */
  readonly used = new Set<string>();
  /** Fields and uses of fragments: these cost as much, even where they come to no field. */
  #fields = 0;
  #roots = 0;
  #aliases = 0;

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>, limits: CostLimits) {
    this.#fragments = fragments;
    this.#limits = limits;
  }

  countOperation(selections: SelectionSetNode): void {
    this.#roots = 0;
    this.#count(selections, "", 1, new Set());
  }

  #count({ selections }: SelectionSetNode, path: string, depth: number, within: ReadonlySet<string>): void {
    for (const selection of selections) {
      this.#countOne(path);
      if (selection.kind === Kind.INLINE_FRAGMENT) this.#count(selection.selectionSet, path, depth, within);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value;
        this.used.add(name);
        const fragment = this.#fragments.get(name);
        if (within.has(name)) throw new GraphQLError(`${path}: the fragment ${name} is used within itself.`);
        if (fragment !== undefined) this.#count(fragment.selectionSet, path, depth, new Set([...within, name]));
      } else this.#countField(selection, path, depth, within);
    }
  }

  #countOne(path: string): void {
    this.#fields += 1;
    if (this.#fields > this.#limits.fields)
      throw new GraphQLError(`${path}: the request has more than ${this.#limits.fields} fields.`);
  }

  #countField(field: FieldNode, path: string, depth: number, within: ReadonlySet<string>): void {
    const { alias, name, selectionSet } = field;
    const at = `${path}${path === "" ? "" : "."}${(alias ?? name).value}`;
    if (alias !== undefined) this.#aliases += 1;
    if (depth === 1) this.#roots += 1;
    if (this.#roots > this.#limits.roots)
      throw new GraphQLError(`A request may have ${this.#limits.roots} fields at its root at most.`);
    if (this.#aliases > this.#limits.aliases)
      throw new GraphQLError(`${at}: the request gives more than ${this.#limits.aliases} fields other names.`);
    if (depth > this.#limits.depth)
      throw new GraphQLError(`${at}: the request is more than ${this.#limits.depth} fields deep.`);
    if (selectionSet !== undefined) this.#count(selectionSet, at, depth + 1, within);
  }
}
