/** How a field's value is written in protobuf, from which its fixed-width form follows. */
export type ScalarKind = "bool" | "int32" | "sint32" | "uint32" | "int64" | "sint64" | "fixed64" | "bytes";

/** One field of a message, or one member of its oneof. */
export interface FieldShape {
  /** The number of the protobuf field. */
  readonly number: number;
  /** `indices` is the one field without covered content, `entries` a map from text to terms. */
  readonly kind: ScalarKind | "message" | "indices" | "entries";
  readonly isRepeated: boolean;
  /** The shape of a message; without meaning for the other kinds. */
  readonly message: ShapeName;
}

/** A message: its fields in the order in which bincode writes them, its oneof last. */
export interface MessageShape {
  readonly fields: readonly FieldShape[];
  /** In the order of declaration, which gives each member its number. */
  readonly members?: readonly FieldShape[];
}

/** The structures that terms, data and continuations are made of. @spec 61 §2 */
export type ShapeName =
  | "Par"
  | "Send"
  | "Receive"
  | "ReceiveBind"
  | "BindPattern"
  | "New"
  | "Match"
  | "MatchCase"
  | "If"
  | "Bundle"
  | "Var"
  | "Pair"
  | "Operand"
  | "EVar"
  | "Collection"
  | "ETuple"
  | "EMap"
  | "EMethod"
  | "EZipper"
  | "Expr"
  | "Connective"
  | "ConnectiveBody"
  | "VarRef"
  | "Unforgeable"
  | "Content"
  | "Nothing"
  | "BigRational"
  | "FixedPoint"
  | "ParWithRandom"
  | "ListParWithRandom"
  | "TaggedContinuation";

const field = (number: number, kind: FieldShape["kind"], isRepeated = false): FieldShape => ({
  number,
  kind,
  isRepeated,
  message: "Par",
});
const one = (number: number, message: ShapeName): FieldShape => ({
  number,
  kind: "message",
  isRepeated: false,
  message,
});
const many = (number: number, message: ShapeName): FieldShape => ({ ...one(number, message), isRepeated: true });
const bool = (number: number): FieldShape => field(number, "bool");
const bytes = (number: number): FieldShape => field(number, "bytes");
const int32 = (number: number): FieldShape => field(number, "int32");
const indices = (number: number): FieldShape => field(number, "indices");

const collection: readonly FieldShape[] = [many(1, "Par"), indices(3), bool(4), one(5, "Var")];
const binary = (...numbers: readonly number[]): FieldShape[] => numbers.map((number) => one(number, "Pair"));

const messages: Readonly<Record<ShapeName, readonly FieldShape[]>> = {
  Par: [
    many(1, "Send"),
    many(2, "Receive"),
    many(4, "New"),
    many(5, "Expr"),
    many(6, "Match"),
    many(7, "Unforgeable"),
    many(11, "Bundle"),
    many(8, "Connective"),
    many(12, "If"),
    indices(9),
    bool(10),
  ],
  Send: [one(1, "Par"), many(2, "Par"), bool(3), indices(5), bool(6)],
  Receive: [many(1, "ReceiveBind"), one(2, "Par"), bool(3), bool(4), int32(5), indices(6), bool(7), one(8, "Par")],
  ReceiveBind: [many(1, "Par"), one(2, "Par"), one(3, "Var"), int32(4)],
  BindPattern: [many(1, "Par"), one(2, "Var"), int32(3)],
  New: [field(1, "sint32"), one(2, "Par"), field(3, "bytes", true), field(4, "entries"), indices(5)],
  Match: [one(1, "Par"), many(2, "MatchCase"), indices(4), bool(5)],
  MatchCase: [one(1, "Par"), one(2, "Par"), int32(3), one(4, "Par")],
  If: [one(1, "Par"), one(2, "Par"), one(3, "Par"), indices(4), bool(5)],
  Bundle: [one(1, "Par"), bool(2), bool(3)],
  Var: [],
  /** An operator's two operands, an entry of a map. */
  Pair: [one(1, "Par"), one(2, "Par")],
  Operand: [one(1, "Par")],
  EVar: [one(1, "Var")],
  Collection: collection,
  ETuple: collection.slice(0, 3),
  EMap: [many(1, "Pair"), ...collection.slice(1)],
  EMethod: [bytes(1), one(2, "Par"), many(3, "Par"), indices(5), bool(6)],
  EZipper: [one(1, "Collection"), field(2, "bytes", true), bool(3), indices(4), bool(5)],
  Expr: [],
  Connective: [],
  ConnectiveBody: [many(1, "Par")],
  VarRef: [field(1, "sint32"), field(2, "sint32")],
  Unforgeable: [],
  /** A name's id, signature or key. */
  Content: [bytes(1)],
  Nothing: [],
  BigRational: [bytes(1), bytes(2)],
  FixedPoint: [bytes(1), field(2, "uint32")],
  ParWithRandom: [one(1, "Par"), bytes(2)],
  ListParWithRandom: [many(1, "Par"), bytes(2)],
  TaggedContinuation: [one(3, "Par")],
};

const oneofs: { readonly [Name in ShapeName]?: readonly FieldShape[] } = {
  Var: [field(1, "sint32"), field(2, "sint32"), one(3, "Nothing")],
  Expr: [
    bool(1),
    field(2, "sint64"),
    bytes(3),
    bytes(4),
    bytes(25),
    one(5, "Operand"),
    one(6, "Operand"),
    ...binary(7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18),
    one(19, "EVar"),
    one(20, "Collection"),
    one(21, "ETuple"),
    one(22, "Collection"),
    one(23, "EMap"),
    one(24, "EMethod"),
    one(32, "Collection"),
    one(33, "EZipper"),
    ...binary(27, 28, 29, 30, 31),
    field(34, "fixed64"),
    bytes(35),
    one(36, "BigRational"),
    one(37, "FixedPoint"),
  ],
  Connective: [
    one(1, "ConnectiveBody"),
    one(2, "ConnectiveBody"),
    one(3, "Par"),
    one(4, "VarRef"),
    bool(5),
    bool(6),
    bool(7),
    bool(8),
    bool(9),
  ],
  Unforgeable: [one(1, "Content"), one(2, "Content"), one(3, "Content"), one(4, "Nothing")],
  TaggedContinuation: [one(1, "ParWithRandom"), field(2, "int64")],
};

/** The shape of a message. @spec 61 §2 */
export function shapeOf(name: ShapeName): MessageShape {
  return shapes.get(name)!;
}

const shapes: ReadonlyMap<string, MessageShape> = new Map(
  Object.entries(messages).map(([name, fields]): [string, MessageShape] => {
    const members = oneofs[name as ShapeName];
    return [name, members === undefined ? { fields } : { fields, members }];
  }),
);

/** The key of a map's entry. */
export const entryKey: FieldShape = bytes(1);
/** The value of a map's entry. */
export const entryValue: FieldShape = one(2, "Par");

/** The wire type of a field's tag. @spec 20 §10 */
export function wireTypeOf({ kind }: FieldShape): number {
  switch (kind) {
    case "bytes":
    case "message":
    case "indices":
    case "entries":
      return 2;
    case "fixed64":
      return 1;
    default:
      return 0;
  }
}
