export type { Analysis, BindingKind, NameSymbol, Reference, Use } from "./analysis/NameSymbol.js";
export { eachProcess } from "./childProcesses.js";
export { formatSource } from "./format/formatSource.js";
export { f1r3nodeLanguage, type Language, type LanguageDialect, languageOf, rnodeLanguage } from "./Language.js";
export { type CheckedProgram, checkProgram, type Diagnostic } from "./lint/lintSource.js";
export type { Rule } from "./lint/Rule.js";
export { rules } from "./lint/rules.js";
export { hasCases } from "./testCases.js";
