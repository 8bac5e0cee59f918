// Writes the types of a package with bundled workspaces: the declarations that the compiler writes, as a tree of their
// own in which workspaces find each other by paths. The exports of a list (`index.ts`) are followed to their files, so
// that only needed declarations are included.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { root, workspaces } from "./checkout.mjs";

const statement = /^(import|export)( type)? \{([^}]*)\} from "(@vedette\/[^"]+)";$/gm;
const anyPath = /(?:from |import\()"(\.[^"]+)"/g;

/** Where the compiler writes them, a workspace's at its own path. */
const declared = join(root, "node_modules/.cache/vedette/declarations");

/**
 * Writes the declarations of modules, and of all that these name.
 *
 * @param specifiers the import specifiers of modules, `@vedette/api/grpc`
 * @param folder where the tree is put; a workspace is a folder of it
 * @returns the paths of the modules' declarations in the tree
 */
export function writeDeclarations(specifiers, folder) {
  declare(specifiers.map((specifier) => join(root, sourceOf(specifier))));
  const entries = specifiers.map(declarationsOf);
  const written = new Set();
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (written.has(file)) continue;
    written.add(file);
    const original = readFileSync(file, "utf8");
    for (const [, path] of original.matchAll(anyPath)) queue.push(join(dirname(file), path.replace(/\.js$/, ".d.ts")));
    const text = original.replace(statement, (_all, ...[verb, type = "", names, specifier]) => {
      const parts = namedFiles(names, specifier);
      queue.push(...parts.map((part) => part.file).filter(isAbsolute));
      return parts.map((part) => `${verb}${type} { ${part.text} } from "${pathBetween(file, part.file)}";`).join("\n");
    });
    if (/"@vedette\//.test(text))
      throw new Error(`${relative(declared, file)} names a workspace in a way that is not known`);
    const target = placeOf(file, folder);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return entries.map((file) => placeOf(file, folder));
}

/** Has the compiler write what modules declare, and those that they import. */
function declare(files) {
  rmSync(declared, { recursive: true, force: true });
  mkdirSync(declared, { recursive: true });
  const options = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: root, outDir: declared },
      // The compiler treats files below `node_modules` as foreign, and writes no declarations of them.
      paths: modulePaths(),
    },
    files,
  };
  const project = join(declared, "tsconfig.json");
  writeFileSync(project, JSON.stringify(options));
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project], { stdio: "inherit" });
}

/** The declaration of `packages/core/crypto/src/hash/x.ts` is `crypto/hash/x.d.ts` in the tree. */
function treePath(file) {
  return relative(declared, file)
    .replace(/^packages\/[^/]+\//, "")
    .replace("/src/", "/");
}

const placeOf = (file, folder) => join(folder, treePath(file));

/** How one names the other; what strangers wrote keeps its name. */
function pathBetween(from, to) {
  if (!isAbsolute(to)) return to;
  const path = relative(dirname(treePath(from)), treePath(to)).replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}

/** The files that declare some names of a workspace's list of exports. */
function namedFiles(names, specifier) {
  const index = declarationsOf(specifier);
  const byFile = new Map();
  for (const { type, name, as } of partsOf(names)) {
    const found = fileOf(name, index);
    const text = `${type}${found.name}${as === found.name ? "" : ` as ${as}`}`;
    byFile.set(found.file, [...(byFile.get(found.file) ?? []), text]);
  }
  return [...byFile].map(([file, texts]) => ({ file, text: texts.join(", ") }));
}

/** Follows a name through `export { … } from`. */
function fileOf(name, file) {
  for (const [, names, path] of readFileSync(file, "utf8").matchAll(
    /^export (?:type )?\{([^}]*)\} from "([^"]+)";$/gm,
  )) {
    const part = partsOf(names).find(({ as }) => as === name);
    if (part === undefined) continue;
    if (path.startsWith(".")) return fileOf(part.name, join(dirname(file), path.replace(/\.js$/, ".d.ts")));
    return path.startsWith("@vedette/") ? fileOf(part.name, declarationsOf(path)) : { name: part.name, file: path };
  }
  return { name, file };
}

/** `type A, b as c`, part by part. */
function partsOf(names) {
  return [...names.matchAll(/(type )?([\w$]+)(?: as ([\w$]+))?/g)].map(([, type = "", name, as = name]) => ({
    type,
    name,
    as,
  }));
}

/** Where the module of each entry of a workspace is. */
function modulePaths() {
  const specifiers = [...workspaces].flatMap(([name, { manifest }]) =>
    Object.entries(manifest.exports)
      .filter(([, { source }]) => source !== undefined)
      .map(([path]) => join(name, path)),
  );
  return Object.fromEntries(specifiers.map((specifier) => [specifier, [join(root, sourceOf(specifier))]]));
}

/** `@vedette/api/grpc` → the module that its manifest names. */
function sourceOf(specifier) {
  const [scope, name, ...rest] = specifier.split("/");
  const { folder, manifest } = workspaces.get(`${scope}/${name}`);
  return join(folder, manifest.exports[[".", ...rest].join("/")].source);
}

const declarationsOf = (specifier) => join(declared, sourceOf(specifier).replace(/\.ts$/, ".d.ts"));
