/** Where a program writes. */
export interface Output {
  readonly isTTY?: boolean;
  /** Node.js's facts about a terminal: `NO_COLOR`, `FORCE_COLOR` and `TERM` are read. */
  hasColors?(count: number, environment: object): boolean;
}

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Whether lines can be painted over: the output is an interactive terminal. */
export function canPaint(out: Output, variables: Variables): boolean {
  const isCi = !["", "0", "false"].includes(variables["CI"] ?? "");
  return out.isTTY === true && variables["TERM"] !== "dumb" && !isCi;
}

const codes = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const;

/** The looks of a text. */
export type Colour = keyof typeof codes;

/** Gives a text a colour, where there are colours. */
export type Paint = (colour: Colour, text: string) => string;

/** Texts as they are. */
export const noColours: Paint = (_colour, text) => text;

/** Colours for a terminal that has them, unless `NO_COLOR` is set; none elsewhere. */
export function coloursOf(out: Output, variables: Variables): Paint {
  const has = out.isTTY === true && out.hasColors?.(16, variables) === true && (variables["NO_COLOR"] ?? "") === "";
  return has ? (colour, text) => `\x1b[${codes[colour]}m${text}\x1b[0m` : noColours;
}
