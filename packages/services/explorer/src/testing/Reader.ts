import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { patienceMs } from "@vedette/testing";
import { type Browser, chromium, type Page } from "playwright-core";

/** Debian's; nothing is downloaded. */
const executablePath = "/usr/bin/chromium";

/** Whether there is a browser on this machine; tests that need one report that and are skipped. */
export const isBrowserThere = existsSync(executablePath);

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-sync",
  "--no-first-run",
];

export interface ReaderOptions {
  readonly width?: number;
  readonly colours?: "light" | "dark";
}

/** Opens the explorer in a browser and collects all errors that the browser reports. */
export class Reader implements AsyncDisposable {
  /** Errors of the console and of the page. */
  readonly complaints: string[] = [];
  /** Requests that were answered with a status of 400 or more. */
  readonly refusals: string[] = [];
  /** All readers of a test file use one browser, each with a separate profile. */
  static #browser: Promise<Browser> | undefined;

  private constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  static async open(url: string, { width = 1280, colours = "dark" }: ReaderOptions = {}): Promise<Reader> {
    Reader.#browser ??= chromium.launch({ executablePath, args: flags, timeout: Math.ceil(patienceMs()) });
    const context = await (await Reader.#browser).newContext({
      viewport: { width, height: 900 },
      colorScheme: colours,
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(Math.ceil(patienceMs()));
    const reader = new Reader(page, url);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) reader.complaints.push(message.text());
    });
    page.on("pageerror", (error) => reader.complaints.push(String(error)));
    page.on("response", (answer) => {
      if (answer.status() >= 400)
        reader.refusals.push(`${answer.request().method()} ${answer.url()}: ${answer.status()}`);
    });
    return reader;
  }

  /** Opens a page, and waits until it has content. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(this.url + path);
    await this.page.locator("h1").first().waitFor({ state: "attached" });
    await this.page.locator("[aria-label=Loading]").first().waitFor({ state: "detached" });
    await this.page.getByText("Live", { exact: false }).first().waitFor();
  }

  /** Ends the browser, behind all of its readers. */
  static async closeBrowser(): Promise<void> {
    await (await Reader.#browser)?.close();
    Reader.#browser = undefined;
  }

  /** Returns the faults that axe finds against WCAG 2.2 A and AA, or against one of its rules: the rule and where. */
  async barriers(rule?: string): Promise<string[]> {
    await this.page.evaluate(axeSource);
    return this.page.evaluate(async (rule) => {
      const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
      const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
      const { violations } = await axe.run(document, {
        runOnly: rule === undefined ? { type: "tag", values: tags } : { type: "rule", values: [rule] },
      });
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 4)
            .map(({ html }) => html)
            .join(" ")}`,
      );
    }, rule);
  }

  /** Gives the page the other colours, as its button does. */
  async recolour(colours: "light" | "dark"): Promise<void> {
    await this.page.evaluate((theme) => {
      document.documentElement.dataset["theme"] = theme;
    }, colours);
  }

  /** How much wider the page is than the window. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
  }

  /** Tables that are wider than their place. */
  hiddenColumns(): Promise<number> {
    return this.page.evaluate(
      () =>
        [...document.querySelectorAll(".table-wrap:has(> table)")].filter((one) => one.scrollWidth > one.clientWidth)
          .length,
    );
  }

  /** Numbers of tables that are broken over lines, and addresses whose end is cut off. */
  brokenValues(): Promise<string[]> {
    return this.page.evaluate(() => {
      const texts = [...document.querySelectorAll("td.right")].filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1;
      });
      const cut = [...document.querySelectorAll("td .hash a")].filter((one) => one.scrollWidth > one.clientWidth);
      return [...texts, ...cut].map(({ textContent }) => textContent ?? "");
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
