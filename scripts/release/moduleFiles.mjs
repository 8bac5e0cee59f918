// The files that a module finds beside itself by `new URL("…", import.meta.url)`, when modules are bundled.
import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { root } from "./checkout.mjs";

const ownUrl = /new URL\((["`])(\.[^"`]*)\1,\s*import\.meta\.url\)/g;

/**
 * A plugin of rolldown. All output lies in one folder, so that a path from there is right in any chunk: modules that
 * are named become entries of their own (threads), other files have a place given by `placeOfFile`.
 *
 * @param placeOfFile path in the checkout → path beside the folder of the output, `undefined` for modules; `${name}`
 *   stays as it is
 * @param apart modules that are bundled by themselves into the same folder
 */
export function moduleFiles(placeOfFile, apart = []) {
  const names = new Map();
  const placeOf = (path, from) => {
    const inCheckout = relative(root, path);
    const place = placeOfFile(inCheckout);
    if (place !== undefined) return `../${place}`;
    if (!path.endsWith(".js") || !existsSync(path))
      throw new Error(
        `${relative(root, from)} names ${inCheckout}, which has no place in the package: see scripts/release`,
      );
    return undefined;
  };
  return {
    name: "module-files",
    transform(code, id) {
      if (!ownUrl.test(code)) return null;
      const moved = code.replace(ownUrl, (_all, quote, path) => {
        const target = join(dirname(id), path);
        const place = placeOf(target, id);
        if (place !== undefined) return `new URL(${quote}${place}${quote}, import.meta.url)`;
        const fileName = basename(target);
        if ((names.get(fileName) ?? target) !== target) throw new Error(`Two entries are called ${fileName}`);
        if (!names.has(fileName) && !apart.includes(target)) this.emitFile({ type: "chunk", id: target, fileName });
        names.set(fileName, target);
        return `new URL(${quote}./${fileName}${quote}, import.meta.url)`;
      });
      return { code: moved, map: null };
    },
  };
}
