import { compareUtf8, type F1r3nodeParBuilder, indicesOutside, New } from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeNameDeclaration, F1r3nodeNewProcess } from "../syntax/ast.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";

/** `new x, y(`uri`) in body`: plain names first, then those with a URI, ordered by it. @spec 20 §7.16, 61 §5 */
export function normalizeNew(
  { declarations, body }: F1r3nodeNewProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const { scope } = normalizer;
  const plain = declarations.filter(({ uri }) => uri === undefined);
  const withUri = declarations.filter(hasUri).sort((left, right) => compareUtf8(left.uri, right.uri));
  const mark = scope.open();
  for (const { name, span } of [...plain, ...withUri]) scope.bind(name, true, span);
  const par = normalizer.alone(body, free);
  scope.close(mark);
  const count = declarations.length;
  const uris = withUri.map(({ uri }) => uri);
  into.addNew(new New(count, par, uris, normalizer.injections, indicesOutside(par.locallyFree, count)));
}

function hasUri(
  declaration: F1r3nodeNameDeclaration,
): declaration is F1r3nodeNameDeclaration & { readonly uri: string } {
  return declaration.uri !== undefined;
}
