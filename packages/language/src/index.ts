export type { Analysis, NameSymbol, Origin, Reference, Use } from "./analysis/NameSymbol.js";
export { eachProcess } from "./childProcesses.js";
export { formatSource } from "./format/formatSource.js";
export { type Language, type LanguageDialect, languageOf, rustLanguage, scalaLanguage } from "./Language.js";
export { type CheckedProgram, checkProgram, type Diagnostic } from "./lint/lintSource.js";
export type { Rule } from "./lint/Rule.js";
export { rules } from "./lint/rules.js";
export { hasCases } from "./testCases.js";
