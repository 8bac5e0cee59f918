// The types of a package whose workspaces are bundled: the declarations that the compiler wrote, as a tree of their
// own in which workspaces find each other by paths. What a list of exports (`index.ts`) hands on is followed to its
// file, so that nothing comes along that no entry needs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { root, workspaces } from "./checkout.mjs";

const statement = /^(import|export)( type)? \{([^}]*)\} from "(@vedette\/[^"]+)";$/gm;
const anyPath = /(?:from |import\()"(\.[^"]+)"/g;

/**
 * Writes what is reached from some declarations.
 *
 * @param entries paths of `.d.ts` files in the checkout
 * @param folder where the tree is put; a workspace is a folder of it
 * @returns the paths of the entries in the tree
 */
export function writeDeclarations(entries, folder) {
  const written = new Set();
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (written.has(file)) continue;
    written.add(file);
    const original = readFileSync(file, "utf8");
    for (const [, path] of original.matchAll(anyPath)) queue.push(join(dirname(file), path.replace(/\.js$/, ".d.ts")));
    const text = original.replace(statement, (_all, verb, type = "", names, specifier) => {
      const parts = namedFiles(names, specifier);
      queue.push(...parts.map((part) => part.file).filter(isAbsolute));
      return parts.map((part) => `${verb}${type} { ${part.text} } from "${pathBetween(file, part.file)}";`).join("\n");
    });
    if (/"@vedette\//.test(text))
      throw new Error(`${relative(root, file)} names a workspace in a way that is not known`);
    const target = placeOf(file, folder);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text.replace(/^\/\/# sourceMappingURL=.*\n?/gm, ""));
  }
  return entries.map((file) => placeOf(file, folder));
}

/** `packages/crypto/dist/hash/x.d.ts` is `crypto/hash/x.d.ts` in the tree. */
function treePath(file) {
  return relative(root, file)
    .replace(/^packages\//, "")
    .replace("/dist/", "/");
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

/** `@vedette/api/grpc` → the declarations that its manifest names. */
export function declarationsOf(specifier) {
  const [scope, name, ...rest] = specifier.split("/");
  const { folder, manifest } = workspaces.get(`${scope}/${name}`);
  return join(root, folder, manifest.exports[[".", ...rest].join("/")].types);
}
