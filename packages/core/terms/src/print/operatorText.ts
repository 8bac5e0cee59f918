import type { BinaryOperator } from "../model/Par.js";

/** The sign of each operator. @spec 20 §12.2 */
export const operatorText: Readonly<Record<BinaryOperator, string>> = {
  EMult: "*",
  EDiv: "/",
  EMod: "%",
  EPlus: "+",
  EMinus: "-",
  ELt: "<",
  ELte: "<=",
  EGt: ">",
  EGte: ">=",
  EEq: "==",
  ENeq: "!=",
  EAnd: "&&",
  EOr: "||",
  EPercentPercent: "%%",
  EPlusPlus: "++",
  EMinusMinus: "--",
};
