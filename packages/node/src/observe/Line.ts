export type Level = "debug" | "info" | "warn" | "error";

/** A line of the log. */
export interface Line {
  readonly level: Level;
  readonly text: string;
}

export const debug = (text: string): Line => ({ level: "debug", text });
export const info = (text: string): Line => ({ level: "info", text });
export const warn = (text: string): Line => ({ level: "warn", text });

/** The words for every kind of event; one that is forgotten does not compile. `undefined`: not worth a line. */
export type Lines<E extends { readonly type: string }> = {
  readonly [T in E["type"]]: (event: Extract<E, { readonly type: T }>) => Line | undefined;
};

/** The line of an event. */
export function lineOf<E extends { readonly type: string }>(lines: Lines<E>, event: E): Line | undefined {
  const print = lines[event.type as E["type"]] as (event: E) => Line | undefined;
  return print(event);
}
