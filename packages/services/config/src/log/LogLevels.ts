import type { Area, Level, Line } from "./Line.js";

const ranks: { readonly [L in Level]: number } = { debug: 0, info: 1, warn: 2, error: 3 };
const areas: { readonly [A in Area]: true } = {
  node: true,
  network: true,
  sync: true,
  chain: true,
  propose: true,
  api: true,
};

/** The levels, least first. */
export const levelNames = Object.keys(ranks) as readonly Level[];
/** The areas that levels can be chosen for. */
export const areaNames = Object.keys(areas) as readonly Area[];

/** The lowest levels that are printed: the area's own where it has one, else the common one. */
interface Chosen {
  readonly common: Level;
  readonly ofArea: ReadonlyMap<Area, Level>;
}

/**
 * Decides which lines of the log are printed. It can be changed while the node runs.
 *
 * @spec 50 §6.3
 */
export class LogLevels {
  #chosen: Chosen;
  #isDebugging = false;

  /** @param text as {@link areLogLevels} accepts it */
  constructor(text: string) {
    this.#chosen = requireLevels(text);
  }

  /** Takes other levels. @param text as {@link areLogLevels} accepts it */
  change(text: string): void {
    this.#chosen = requireLevels(text);
    this.#isDebugging = false;
  }

  /** Switches between printing everything and the chosen levels. @returns whether everything is printed now */
  toggleDebug(): boolean {
    this.#isDebugging = !this.#isDebugging;
    return this.#isDebugging;
  }

  isEnabled({ level, area }: Pick<Line, "level" | "area">): boolean {
    if (this.#isDebugging) return true;
    return ranks[level] >= ranks[this.#chosen.ofArea.get(area) ?? this.#chosen.common];
  }
}

/** Whether a text chooses levels: `info`, or `info,sync=debug,network=warn`. @spec 50 §6.3 */
export function areLogLevels(text: string): boolean {
  return readLevels(text) !== undefined;
}

function requireLevels(text: string): Chosen {
  const chosen = readLevels(text);
  if (chosen === undefined) throw new RangeError(`"${text}" is no choice of log levels`);
  return chosen;
}

function readLevels(text: string): Chosen | undefined {
  let common: Level = "info";
  const ofArea = new Map<Area, Level>();
  for (const [index, part] of text.split(",").entries()) {
    const [first = "", second, ...rest] = part.split("=").map((word) => word.trim());
    if (rest.length > 0) return undefined;
    if (second === undefined) {
      // One level for all, and it comes first.
      if (!isLevel(first) || index > 0) return undefined;
      common = first;
    } else {
      if (!isArea(first) || !isLevel(second)) return undefined;
      ofArea.set(first, second);
    }
  }
  return { common, ofArea };
}

function isLevel(text: string): text is Level {
  return Object.hasOwn(ranks, text);
}

function isArea(text: string): text is Area {
  return Object.hasOwn(areas, text);
}
