import headless from "@xterm/headless";
import type { Screen } from "../LiveText.js";

/** A terminal as users have them, without a window. */
export class EmulatedTerminal implements Screen {
  readonly #terminal;
  readonly #listeners = new Set<() => void>();

  constructor(columns: number, rows: number) {
    this.#terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5_000 });
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  write(text: string): void {
    this.#terminal.write(text);
  }

  on(_event: "resize", listener: () => void): void {
    this.#listeners.add(listener);
  }

  off(_event: "resize", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#settled();
    this.#terminal.resize(columns, rows);
    for (const listener of this.#listeners) listener();
  }

  /** All lines that are there, what has left the screen too; empty ones at the end left out. */
  async lines(): Promise<string[]> {
    await this.#settled();
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)!.translateToString(true));
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => this.#terminal.write("", resolve));
  }
}
