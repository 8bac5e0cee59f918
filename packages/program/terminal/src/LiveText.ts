import { stripVTControlCharacters } from "node:util";

/** A terminal that is painted on. */
export interface Screen {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

/** Columns and rows of a terminal. */
export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

const usual: ScreenSize = { width: 80, height: 24 };

// Terminals that support it show a painting at once; the others ignore it.
const beginPainting = "\x1b[?2026h";
const endPainting = "\x1b[?2026l";
// While this is off, what is too wide is cut by the terminal, also where characters are wider than one column.
const wrapOff = "\x1b[?7l";
const wrapOn = "\x1b[?7h";
const eraseLine = "\x1b[2K";
const eraseBelow = "\x1b[J";
const noColour = "\x1b[0m";

/**
 * Lines at the end of the output, painted again and again.
 *
 * Every painting writes all lines: what is on the screen is the last painting, whatever was there before. A terminal
 * that becomes narrower breaks long lines in two, so that how far up the painting began is counted anew each time.
 */
export class LiveText {
  readonly #screen: Screen;
  readonly #render: (size: ScreenSize) => readonly string[];
  /** Columns of each line as it was painted. */
  #painted: readonly number[] = [];
  readonly #onResize = () => this.paint();

  /** @param render the lines for a size: as many as fit, the rest is cut; colours allowed, nothing else that drives */
  constructor(screen: Screen, render: (size: ScreenSize) => readonly string[]) {
    this.#screen = screen;
    this.#render = render;
    screen.on("resize", this.#onResize);
  }

  /** Paints what is to be seen now. */
  paint(): void {
    const { columns: width = usual.width, rows: height = usual.height } = this.#screen;
    const lines = this.#render({ width, height })
      .slice(0, height)
      .map((line) => cutLine(line, width));
    const up = this.#rowsAbove(width, height);
    const body = lines.map((line) => `${eraseLine}${line}${noColour}`).join("\r\n");
    const back = up === 0 ? "\r" : `\x1b[${up}A\r`;
    this.#screen.write(`${beginPainting}${wrapOff}${back}${body}${eraseBelow}${wrapOn}${endPainting}`);
    this.#painted = lines.map(columnsOf);
  }

  /** Leaves the last painting where it is; later output is below it. */
  end(): void {
    this.#screen.off("resize", this.#onResize);
    if (this.#painted.length > 0) this.#screen.write("\r\n");
    this.#painted = [];
  }

  #rowsAbove(width: number, height: number): number {
    const rows = this.#painted.reduce((sum, columns) => sum + Math.max(1, Math.ceil(columns / width)), 0);
    // Lines that have left the screen cannot be painted over.
    return Math.min(Math.max(0, rows - 1), height - 1);
  }
}

/** Cuts a line, which may have colours, to a number of columns; a cut line ends with an ellipsis. */
export function cutLine(line: string, width: number): string {
  if (columnsOf(line) <= width) return line;
  let cut = "";
  let room = width - 1;
  for (const part of line.split(colours)) {
    if (part.startsWith("\x1b")) cut += part;
    else {
      const characters = [...part].slice(0, Math.max(0, room));
      room -= characters.length;
      cut += characters.join("");
    }
  }
  return width <= 0 ? "" : `${cut}${noColour}…`;
}

/** Breaks a line without colours between words; a word that does not fit is alone on its line. */
export function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of line.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && columnsOf(last) + 1 + columnsOf(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours are written with
const colours = /(\x1b\[[\d;]*m)/;

/** How many columns a line has, its colours aside; a wide character is counted as one. */
export function columnsOf(line: string): number {
  return [...stripVTControlCharacters(line)].length;
}
