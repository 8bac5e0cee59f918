import { basename, dirname, join } from "node:path";
import { rolldown } from "rolldown";

/**
 * The modules that become part of the bundle: our own, and others that consist of many small ones; not the package that
 * reads a file beside its modules.
 */
const bundled = /^([./#]|@vedette\/(?!config$)|@bufbuild\/|@noble\/)/;

/**
 * Makes one module of a compiled one and all of ours that it needs, beside it: a program that lives for a moment
 * spends most of its time on opening hundreds of modules.
 *
 * @returns the path of the program
 */
export async function bundledProgram(module: string): Promise<string> {
  const folder = join(dirname(module), "bundle");
  await using bundle = await rolldown({ input: module, platform: "node", external: (id) => !bundled.test(id) });
  await bundle.write({ dir: folder, format: "esm" });
  return join(folder, basename(module));
}
