/**
 * The tokens that may follow the parsed process, as far as they decide how its last tokens are read: bits of one
 * number. Within brackets none is set.
 *
 * @spec 61 §4
 */
export type Follow = number;

export const nothingSpecial: Follow = 0;
/** Another process: `-` directly before a number begins it. */
export const anotherProcess: Follow = 1;
/** `!`, `!?`: the part before is a channel or a source, and no channel within. */
export const send: Follow = 2;
/** `!!`, likewise. */
export const repeatedSend: Follow = 4;
/** `<-`, which is one token here, and elsewhere a comparison with a negative number. */
export const arrow: Follow = 8;
/** `<=` and `<<-` of a bind. */
export const bindArrow: Follow = 16;
/** `|}` of a path map. */
export const pathMapEnd: Follow = 32;
