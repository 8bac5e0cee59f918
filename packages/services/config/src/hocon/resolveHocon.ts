import { ConfigError, type ConfigProblemCode } from "../ConfigError.js";
import type {
  ArrayValue,
  FieldValues,
  HoconNode,
  HoconValue,
  JoinNode,
  ObjectNode,
  ObjectValue,
  SubstitutionNode,
  ValueLocation,
} from "./hoconNode.js";

// A configuration has some hundred values; more steps than this are substitutions that multiply each other.
const stepLimit = 200_000;
const depthLimit = 300;
const textLimit = 1_000_000;

/** Finds a variable of the environment. */
export type FindVariable = (name: string) => string | undefined;

/**
 * Replaces all substitutions by their values, of a key first and else of a variable of the environment.
 *
 * A key that refers to itself means its value before, so that a file can add to the value of an earlier one.
 *
 * @spec 50 §5.1, §5.2
 * @throws {ConfigError} `unresolved`, `wrongType` for values that cannot be joined, `tooLarge`
 */
export function resolveHocon(root: ObjectNode, findVariable: FindVariable): ObjectValue {
  return new Resolver(root, findVariable).all();
}

class Resolver {
  readonly #known = new Map<FieldValues, HoconValue | undefined>();
  /** Fields that are being resolved, and the index of the value which is: only those before it may be looked at. */
  readonly #current = new Map<FieldValues, number>();
  /** How often a value was found that is not the final one; what depends on it must not be remembered. */
  #partial = 0;
  #steps = 0;
  #depth = 0;

  constructor(
    private readonly root: ObjectNode,
    private readonly findVariable: FindVariable,
  ) {}

  all(): ObjectValue {
    return this.#object(this.root);
  }

  #node(node: HoconNode): HoconValue | undefined {
    if (++this.#steps > stepLimit) fail("tooLarge", "the substitutions never come to an end", node.origin);
    if (++this.#depth > depthLimit) fail("tooLarge", "the substitutions refer to each other too deeply", node.origin);
    const value = this.#resolved(node);
    this.#depth--;
    return value;
  }

  #resolved(node: HoconNode): HoconValue | undefined {
    switch (node.kind) {
      case "text":
        return node;
      case "object":
        return this.#object(node);
      case "array":
        return { kind: "array", items: this.#items(node.items), origin: node.origin };
      case "substitution":
        return this.#substitution(node);
      case "join":
        return this.#join(node);
    }
  }

  #object(node: ObjectNode): ObjectValue {
    const fields = new Map<string, HoconValue>();
    for (const [name, values] of node.fields) {
      const value = this.#field(values);
      if (value !== undefined) fields.set(name, value);
    }
    return { kind: "object", fields, origin: node.origin };
  }

  #items(nodes: readonly HoconNode[]): HoconValue[] {
    return nodes.map((node) => this.#node(node)).filter((value) => value !== undefined);
  }

  #field(values: FieldValues): HoconValue | undefined {
    if (this.#known.has(values)) return this.#known.get(values);
    const current = this.#current.get(values);
    if (current !== undefined) this.#partial++;
    const partialBefore = this.#partial;
    const value = this.#merged(values, current ?? values.length, (node, index) => this.#at(values, index, node));
    if (current === undefined && this.#partial === partialBefore) this.#known.set(values, value);
    return value;
  }

  /** Goes from the last value down: objects are put on top of each other, and anything else ends it. */
  #merged(
    values: FieldValues,
    end: number,
    read: (node: HoconNode, index: number) => HoconValue | undefined,
  ): HoconValue | undefined {
    let result: HoconValue | undefined;
    for (let index = end - 1; index >= 0; index--) {
      const value = read(values[index]!, index);
      if (value === undefined) continue;
      if (result === undefined) result = value;
      else if (value.kind === "object" && result.kind === "object") result = merge(value, result);
      if (value.kind !== "object") break;
    }
    return result;
  }

  /** Resolves one of a field's values, while only those before it can be seen. */
  #at(values: FieldValues, index: number, node: HoconNode): HoconValue | undefined {
    const outer = this.#current.get(values);
    this.#current.set(values, index);
    const value = this.#node(node);
    if (outer === undefined) this.#current.delete(values);
    else this.#current.set(values, outer);
    return value;
  }

  #substitution(node: SubstitutionNode): HoconValue | undefined {
    const { path, prefix, origin } = node;
    const found =
      (prefix.length > 0 ? this.#find(this.root, [...prefix, ...path]) : undefined) ?? this.#find(this.root, path);
    if (found !== undefined) return found;
    const name = path.join(".");
    const text = this.findVariable(name);
    if (text !== undefined) return { kind: "text", text, isNull: false, origin: { ...origin, variable: name } };
    if (node.isOptional) return undefined;
    return fail(
      "unresolved",
      `\${${name}} stands for nothing: there is no such key and no environment variable`,
      origin,
    );
  }

  #find(object: ObjectNode, [name, ...rest]: readonly string[]): HoconValue | undefined {
    const values = name === undefined ? undefined : object.fields.get(name);
    if (values === undefined) return undefined;
    if (rest.length === 0) return this.#field(values);
    const current = this.#current.get(values);
    return this.#merged(values, values.length, (node, index) => {
      if (node.kind === "object") return this.#find(node, rest);
      if (current !== undefined && index >= current) {
        this.#partial++;
        return undefined;
      }
      return dig(this.#at(values, index, node), rest);
    });
  }

  #join({ parts, origin }: JoinNode): HoconValue | undefined {
    const values = parts.map((part) => (part.kind === "space" ? part.text : this.#node(part)));
    const solid = values.filter((value) => value !== undefined && typeof value !== "string");
    const [first] = solid;
    if (first === undefined) return undefined;
    if (solid.every((value) => value.kind === "object")) return solid.reduce(merge);
    if (solid.every((value) => value.kind === "array")) return joinArrays(solid, origin);
    let text = "";
    for (const value of values) {
      if (value === undefined) continue;
      if (typeof value !== "string" && value.kind !== "text") {
        fail("wrongType", "a text, a list and an object cannot stand beside each other", origin);
      }
      text += typeof value === "string" ? value : value.text;
      if (text.length > textLimit) fail("tooLarge", `the text is longer than ${textLimit} characters`, origin);
    }
    return { kind: "text", text, isNull: false, origin };
  }
}

function dig(value: HoconValue | undefined, path: readonly string[]): HoconValue | undefined {
  let inner = value;
  for (const name of path) inner = inner?.kind === "object" ? inner.fields.get(name) : undefined;
  return inner;
}

function joinArrays(arrays: readonly ArrayValue[], origin: ValueLocation): ArrayValue {
  return { kind: "array", items: arrays.flatMap((array) => array.items), origin };
}

function merge(below: ObjectValue, above: ObjectValue): ObjectValue {
  const fields = new Map(below.fields);
  for (const [name, value] of above.fields) {
    const under = fields.get(name);
    fields.set(name, under?.kind === "object" && value.kind === "object" ? merge(under, value) : value);
  }
  return { kind: "object", fields, origin: above.origin };
}

function fail(code: ConfigProblemCode, text: string, origin: ValueLocation): never {
  throw new ConfigError({ code: "unusable", problems: [{ code, text, origin }] });
}
