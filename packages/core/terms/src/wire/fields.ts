import type { BinaryOperator, ConnectiveTypeName } from "../model/Par.js";

/** Field numbers of the binary operators within Expr. @spec 20 §5 */
export const binaryField: Readonly<Record<BinaryOperator, number>> = {
  EMult: 7,
  EDiv: 8,
  EPlus: 9,
  EMinus: 10,
  ELt: 11,
  ELte: 12,
  EGt: 13,
  EGte: 14,
  EEq: 15,
  ENeq: 16,
  EAnd: 17,
  EOr: 18,
  EPercentPercent: 28,
  EPlusPlus: 29,
  EMinusMinus: 30,
  EMod: 31,
};

/** The binary operator of each field number of Expr. */
export const binaryOperatorOf: readonly (BinaryOperator | undefined)[] = byNumber(binaryField);

/** Field numbers of the simple types within Connective. @spec 20 §5 */
export const connectiveTypeField: Readonly<Record<ConnectiveTypeName, number>> = {
  Bool: 5,
  Int: 6,
  String: 7,
  Uri: 8,
  ByteArray: 9,
};

/** The simple type of each field number of Connective. */
export const connectiveTypeOf: readonly (ConnectiveTypeName | undefined)[] = byNumber(connectiveTypeField);

function byNumber<Name extends string>(fields: Readonly<Record<Name, number>>): (Name | undefined)[] {
  const names: (Name | undefined)[] = new Array(32).fill(undefined);
  for (const name of Object.keys(fields) as Name[]) names[fields[name]] = name;
  return names;
}
