import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout, with a slash at its end. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A document of the repository. */
export interface Document {
  /** From the checkout on: `docs/README.md`. */
  readonly path: string;
  readonly text: string;
}

/** All documents: those at the root, `docs`, and each package's README. */
export function documents(): Document[] {
  const atRoot = readdirSync(root).filter((name) => name.endsWith(".md"));
  const below = readdirSync(join(root, "docs"), { recursive: true })
    .map((name) => `docs/${String(name).replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md"));
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`);
  return [...atRoot, ...below, ...packages, "contracts/README.md", "interop/README.md"].map((path) => ({
    path,
    text: readFileSync(join(root, path), "utf8"),
  }));
}

/** A document without its fenced and indented code. */
export function withoutCode(text: string): string {
  return text.replaceAll(/^(```+)[^\n]*\n[\s\S]*?^\1\s*$/gm, "").replaceAll(/^ {4}.*$/gm, "");
}
