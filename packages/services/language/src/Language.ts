import {
  compile,
  f1r3nodeGrammar,
  type Grammar,
  isVersionedUrn,
  methodCosts,
  placesWithoutWidths,
} from "@vedette/rholang";
import { type ProgramSource, readF1r3nodeProgram, readProgram } from "./ProgramSource.js";
import { aritiesOf, f1r3nodeWords, rnodeWords, type Words } from "./words.js";

/** The parts of Rholang that differ between networks, for tools that read programs. @spec 20 §1, 61 §4 */
export interface Language {
  /** Compiles programs, and gives the errors of invalid ones. */
  readonly grammar: Grammar;
  /** Where in a program's text the place lies that an error of the grammar names. */
  readonly placeOf: (source: string, offset: number) => number;
  /** A program with all that its text has. @throws {InterpreterError} */
  readonly read: (source: string) => ProgramSource;
  /** Methods, with how many arguments each wants. */
  readonly methods: ReadonlyMap<string, number>;
  /** The costs of method calls, if they are known. */
  readonly methodCosts: ReadonlyMap<string, string>;
  /** The description of each method and channel. */
  readonly words: Words;
  /** Whether a `new` finds a channel of the system by this URN. */
  readonly hasChannel: (urn: string) => boolean;
}

const deployChannels = new Set(["rho:rchain:deployId", "rho:rchain:deployerId"]);
const f1r3nodeDeployChannels = new Set([...deployChannels, "rho:system:deployId", "rho:system:deployerId"]);
const isSystemDeploys = (urn: string) => urn.startsWith("sys:casper:");

/** As rnode networks have it. @spec 20 §1, 21 §6.3 */
export const rnodeLanguage: Language = {
  grammar: { compile },
  placeOf: (_, offset) => offset,
  read: readProgram,
  methods: aritiesOf(rnodeWords),
  ...{ methodCosts, words: rnodeWords },
  hasChannel: (urn) => rnodeWords.channels.has(urn) || deployChannels.has(urn) || isSystemDeploys(urn),
};

/** As f1r3node networks have it. @spec 61 §4, §6.4, §8 */
export const f1r3nodeLanguage: Language = {
  grammar: f1r3nodeGrammar,
  placeOf: (source, offset) => placesWithoutWidths(source)(offset),
  read: readF1r3nodeProgram,
  methods: aritiesOf(f1r3nodeWords),
  methodCosts: new Map(),
  words: f1r3nodeWords,
  hasChannel: (urn) =>
    f1r3nodeWords.channels.has(urn) || f1r3nodeDeployChannels.has(urn) || isVersionedUrn(urn) || isSystemDeploys(urn),
};

const languages = { rnode: rnodeLanguage, f1r3node: f1r3nodeLanguage } as const;

/** The dialects of networks. */
export type LanguageDialect = keyof typeof languages;

/** The language of a network, by its dialect. */
export function languageOf(dialect: LanguageDialect): Language {
  return languages[dialect];
}
