import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout, with a slash at its end. */
export const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A document of the repository. */
export interface Document {
  /** From the checkout on: `docs/README.md`. */
  readonly path: string;
  readonly text: string;
}

/** The folders of all packages: `packages/core/crypto`. */
export function packageFolders(): string[] {
  const floors = readdirSync(join(root, "packages")).map((floor) => `packages/${floor}`);
  return floors.flatMap((floor) => readdirSync(join(root, floor)).map((name) => `${floor}/${name}`));
}

/** Each package's README, and those of the parts of a package that has several. */
export function packageReadmes(): string[] {
  return packageFolders().flatMap((folder) => {
    const parts = readdirSync(join(root, folder, "src")).map((part) => `${folder}/src/${part}/README.md`);
    return [`${folder}/README.md`, ...parts.filter((path) => existsSync(join(root, path)))];
  });
}

/** All documents: those at the root, `docs`, and the READMEs of packages. */
export function documents(): Document[] {
  const atRoot = readdirSync(root).filter((name) => name.endsWith(".md"));
  const below = readdirSync(join(root, "docs"), { recursive: true })
    .map((name) => `docs/${String(name).replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md"));
  return [...atRoot, ...below, ...packageReadmes(), "contracts/README.md", "interop/README.md"].map((path) => ({
    path,
    text: readFileSync(join(root, path), "utf8"),
  }));
}

/** A document without its fenced and indented code. */
export function withoutCode(text: string): string {
  return text.replaceAll(/^(```+)[^\n]*\n[\s\S]*?^\1\s*$/gm, "").replaceAll(/^ {4}.*$/gm, "");
}
