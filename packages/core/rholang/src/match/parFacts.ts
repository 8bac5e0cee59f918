/**
 * Bits of `Par.cachedFacts` that the matcher and the substitution use; bits from 16 on are for the reducer, or on
 * f1r3node networks for the substitution (rust/substitute/settled). Bit 15 is that of the encoding.
 * A bit is only ever set, so that facts of different owners do not disturb each other.
 */
export const matchFactsKnown = 1;
/** A match against this Par can have several alternatives. */
export const matchBranches = 2;
/** The matcher's bit for a pattern that is one free variable and nothing else; known with the others. */
export const isVariablePattern = 256;
/** The substitution bits below are filled in. */
export const substitutionFactsKnown = 4;
/** At pattern depth 0, substitution changes nothing unless an index in `locallyFree` has a value. */
export const inertAsProcess = 8;
/** The same at pattern depth 1 and more, where variables stay as they are. */
export const inertAsPattern = 16;
/** Substitution has seen this Par once. */
export const substitutionVisited = 32;
/** The evaluation bit below is filled in. */
export const evaluationFactsKnown = 64;
/** Evaluating the expressions of this Par gives the Par itself, free of charge. */
export const evaluatesToItself = 128;
/** On f1r3node networks: `Par.cachedSubstituted` is what a substitution at pattern depth 0 makes of this Par. */
export const settledAsProcess = 512;
/** The same at pattern depth 1 and more. */
export const settledAsPattern = 1024;
/** On rnode networks: the bit below is filled in. */
export const itemFactsKnown = 2048;
/** As an item of a collection this Par is a value: evaluating the collection changes nothing of it. */
export const isValueAsItem = 4096;
