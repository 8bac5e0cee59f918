/** How much a line of the log matters, least first. */
export type Level = "debug" | "info" | "warn" | "error";

/** A line of the log. */
export interface Line {
  readonly level: Level;
  readonly text: string;
}

/** A line for who looks for an error. */
export const debug = (text: string): Line => ({ level: "debug", text });
/** A line that tells what goes as it should. */
export const info = (text: string): Line => ({ level: "info", text });
/** A line about what should not be but is dealt with. */
export const warn = (text: string): Line => ({ level: "warn", text });
/** A line of what went wrong. */
export const error = (text: string): Line => ({ level: "error", text });

/** The words for every kind of event; one that is forgotten does not compile. `undefined`: not worth a line. */
export type Lines<E extends { readonly type: string }> = {
  readonly [T in E["type"]]: (event: Extract<E, { readonly type: T }>) => Line | undefined;
};

/** The line of an event. */
export function lineOf<E extends { readonly type: string }>(lines: Lines<E>, event: E): Line | undefined {
  const print = lines[event.type as E["type"]] as (event: E) => Line | undefined;
  return print(event);
}
