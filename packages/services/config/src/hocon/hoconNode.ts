/** Where a value was written: a place in a file, an option, a variable of the environment. */
export type ValueLocation = {
  /** The file's path, or `option --name`, `environment variable NAME`, `default`. */
  readonly source: string;
  readonly line?: number;
  readonly column?: number;
  /** The variable of the environment that a substitution at this place refers to. */
  readonly variable?: string;
};

/** A place as people and editors write it. @spec 50 §5.2 */
export function printOrigin({ source, line, column, variable }: ValueLocation): string {
  const place = line === undefined ? source : `${source}:${line}:${column ?? 1}`;
  return variable === undefined ? place : `${place} (environment variable ${variable})`;
}

/**
 * A value as it is written, before substitutions are looked up.
 *
 * Numbers and booleans stay text, so that no digit of a 64-bit number is lost; the key's type defines how to read them.
 *
 * @spec 50 §5.2
 */
export type HoconNode = ObjectNode | ArrayNode | TextNode | SubstitutionNode | JoinNode;

/** Plain text; `null` is the unquoted word. @spec 50 §5.2 */
export type TextNode = {
  readonly kind: "text";
  readonly text: string;
  readonly isNull: boolean;
  readonly origin: ValueLocation;
};

/** `[…]` @spec 50 §5.2 */
export type ArrayNode = {
  readonly kind: "array";
  readonly items: readonly HoconNode[];
  readonly origin: ValueLocation;
};

/** `${path}` or `${?path}` @spec 50 §5.1 */
export type SubstitutionNode = {
  readonly kind: "substitution";
  readonly path: readonly string[];
  readonly isOptional: boolean;
  /** The path at which its file is included; names are looked up there first. */
  readonly prefix: readonly string[];
  readonly origin: ValueLocation;
};

/** Values beside each other, with the white space between them as text. @spec 50 §5.2 */
export type JoinNode = {
  readonly kind: "join";
  readonly parts: readonly (HoconNode | { readonly kind: "space"; readonly text: string })[];
  readonly origin: ValueLocation;
};

/** All values that a field was given, in order: objects merge, else the last one counts. @spec 50 §5.2 */
export type FieldValues = HoconNode[];

/** `{…}`, to which fields can be added. @spec 50 §5.2 */
export class ObjectNode {
  readonly kind = "object";
  readonly fields = new Map<string, FieldValues>();

  constructor(readonly origin: ValueLocation) {}

  /** Adds a value at a path, on top of what is there. */
  put(path: readonly string[], value: HoconNode): void {
    const [name, ...rest] = path;
    if (name === undefined) return;
    let values = this.fields.get(name);
    if (values === undefined) this.fields.set(name, (values = []));
    const last = values.at(-1);
    if (rest.length > 0) {
      const inner = last?.kind === "object" ? last : new ObjectNode(value.origin);
      if (inner !== last) values.push(inner);
      inner.put(rest, value);
    } else if (last?.kind === "object" && value.kind === "object") {
      last.putAll(value);
    } else {
      values.push(value);
    }
  }

  /** Adds all fields of another object on top of this one's. */
  putAll(other: ObjectNode): void {
    for (const [name, values] of other.fields) for (const value of values) this.put([name], value);
  }
}

/** A value without substitutions. @spec 50 §5.2 */
export type HoconValue = ObjectValue | ArrayValue | TextNode;

/** An object without substitutions. @spec 50 §5.2 */
export type ObjectValue = {
  readonly kind: "object";
  readonly fields: ReadonlyMap<string, HoconValue>;
  readonly origin: ValueLocation;
};

/** An array without substitutions. @spec 50 §5.2 */
export type ArrayValue = {
  readonly kind: "array";
  readonly items: readonly HoconValue[];
  readonly origin: ValueLocation;
};
