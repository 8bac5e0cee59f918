/** How much a line of the log matters, least first. */
export type Level = "debug" | "info" | "warn" | "error";

/** The subject of a line: levels can be chosen for each. @spec 50 §6.3 */
export type Area = "node" | "network" | "sync" | "chain" | "propose" | "api";

/** A line of the log. */
export interface Line {
  readonly level: Level;
  readonly area: Area;
  /** One line; what it quotes of peers and clients may hold anything. */
  readonly text: string;
  /** Further lines that are printed together with it. */
  readonly more?: readonly string[];
}

type MakeLine = (text: string, ...more: readonly string[]) => Line;

/** Makes the lines of an area. */
export function linesOf(area: Area): { readonly [L in Level]: MakeLine } {
  const make =
    (level: Level): MakeLine =>
    (text, ...more) =>
      more.length === 0 ? { level, area, text } : { level, area, text, more };
  return { debug: make("debug"), info: make("info"), warn: make("warn"), error: make("error") };
}

const { info, warn, error } = linesOf("node");

/** `info`: what goes as it should. `warn`: what should not be but is dealt with. `error`: what went wrong. */
export { error, info, warn };

/** The words for every kind of event; one that is forgotten does not compile. `undefined`: not worth a line. */
export type Lines<E extends { readonly type: string }> = {
  readonly [T in E["type"]]: (event: Extract<E, { readonly type: T }>) => Line | undefined;
};

/** The line of an event. */
export function lineOf<E extends { readonly type: string }>(lines: Lines<E>, event: E): Line | undefined {
  const print = lines[event.type as E["type"]] as (event: E) => Line | undefined;
  return print(event);
}
