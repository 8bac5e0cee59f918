// Compiles the workspaces: the types are taken off each module of `src`, and what newer JavaScript has is written as
// Node.js 20 reads it. Types are checked by `npm run types`.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { filesBelow } from "./filesHash.mjs";

const options = {
  target: "es2023",
  sourcemap: true,
  tsconfig: false,
  jsx: { runtime: "automatic" },
  typescript: { onlyRemoveTypeImports: true },
};
/** How many modules are read and compiled at once. */
const atOnce = 16;

/**
 * Compiles what has changed of some workspaces into their `dist`, and removes what was compiled of modules that are
 * gone.
 *
 * @param root of the checkout
 * @param folders of the workspaces, below the root
 * @param show shows how far it is: called with how many modules are compiled, and how many have to be
 * @returns the faults of modules that cannot be read; these are not written
 */
export async function compile(root, folders, show) {
  const version = versionOfResults();
  const faults = [];
  const workspaces = folders.map((folder) => new Workspace(root, folder, version));
  const changed = workspaces.flatMap((workspace) => workspace.changed());
  if (changed.length > 0) {
    const { transform } = await import("rolldown/utils");
    const queue = changed.values();
    let compiled = 0;
    const work = async () => {
      for (const { path, write } of queue) {
        const { code, map, errors } = await transform(path, readFileSync(path, "utf8"), options);
        for (const { message, codeframe } of errors) faults.push(codeframe ?? `${relative(root, path)}: ${message}`);
        if (errors.length === 0) write(code, map);
        compiled += 1;
        show(compiled, changed.length);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }
  for (const workspace of workspaces) workspace.keep();
  return faults;
}

/** Other options, or another compiler, make other modules. */
function versionOfResults() {
  const own = readFileSync(new URL(import.meta.url));
  const compiler = readFileSync(createRequire(import.meta.url).resolve("rolldown/package.json"));
  return createHash("sha256").update(own).update(compiler).digest("hex");
}

class Workspace {
  /** Which sources were compiled, as hashes of them. */
  #stamp;
  #source;
  #dist;
  #version;
  /** The hashes of the modules that are compiled now, by the module's path below `src`. */
  #hashes = new Map();
  /** The hashes of the modules that were compiled before. */
  #earlier = {};

  constructor(root, folder, version) {
    this.#source = join(root, folder, "src");
    this.#dist = join(root, folder, "dist");
    this.#stamp = join(this.#dist, "compiled.json");
    this.#version = version;
    if (!existsSync(this.#stamp)) return;
    const { version: earlier, hashes } = JSON.parse(readFileSync(this.#stamp, "utf8"));
    this.#earlier = earlier === version ? hashes : Object.fromEntries(Object.keys(hashes).map((name) => [name, ""]));
  }

  /** @returns modules that have to be compiled, each with what writes it */
  changed() {
    const all = filesBelow(this.#source).filter((path) => /(?<!\.d)\.tsx?$/.test(path));
    const changed = all.flatMap((path) => {
      const name = relative(this.#source, path);
      const hash = createHash("sha256").update(readFileSync(path)).digest("base64");
      const target = this.#target(name);
      if (this.#earlier[name] === hash && existsSync(target)) {
        this.#hashes.set(name, hash);
        return [];
      }
      const write = (code, map) => {
        mkdirSync(dirname(target), { recursive: true });
        const sources = [relative(dirname(target), path)];
        writeFileSync(`${target}.map`, JSON.stringify({ ...map, sources, sourcesContent: undefined }));
        writeFileSync(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
        this.#hashes.set(name, hash);
      };
      return [{ path, write }];
    });
    // A build that is ended amid this has compiled modules that the file does not list yet.
    const isKnown = ([name]) => this.#hashes.has(name);
    if (changed.length > 0 && existsSync(this.#stamp))
      this.#note(Object.entries(this.#earlier).map((entry) => (isKnown(entry) ? entry : [entry[0], ""])));
    return changed;
  }

  /** Notes what is compiled, and removes what is not any more. */
  keep() {
    for (const name of Object.keys(this.#earlier)) {
      if (this.#hashes.has(name)) continue;
      for (const path of [this.#target(name), `${this.#target(name)}.map`]) rmSync(path, { force: true });
    }
    this.#note([...this.#hashes]);
  }

  #note(hashes) {
    const text = JSON.stringify({ version: this.#version, hashes: Object.fromEntries(hashes) });
    if (existsSync(this.#stamp) && readFileSync(this.#stamp, "utf8") === text) return;
    mkdirSync(this.#dist, { recursive: true });
    writeFileSync(`${this.#stamp}.new`, text);
    renameSync(`${this.#stamp}.new`, this.#stamp);
  }

  #target(name) {
    return join(this.#dist, name.replace(/\.tsx?$/, ".js"));
  }
}
