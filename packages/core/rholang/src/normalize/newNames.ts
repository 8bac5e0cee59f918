import { New, type ParBuilder, shiftBitsDown } from "@vedette/terms";
import type { NameDeclaration, NewProcess } from "../syntax/ast.js";
import type { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";

/** `new x, y(`uri`) in body`. @spec 20 §7.16 */
export function normalizeNew(process: NewProcess, into: ParBuilder, free: FreeMap, normalizer: Normalizer): void {
  const plain = process.declarations.filter((declaration) => declaration.uri === undefined);
  const withUri = process.declarations.filter(hasUri).sort(byUri);
  const mark = normalizer.scope.open();
  for (const { name, position } of plain) normalizer.scope.bind(name, true, position);
  for (const { name, position } of withUri) normalizer.scope.bind(name, true, position);
  const body = normalizer.alone(process.body, free);
  normalizer.scope.close(mark);
  const bindCount = process.declarations.length;
  const uris = withUri.map(({ uri }) => uri);
  into.addNew(new New(bindCount, body, uris, normalizer.injections, shiftBitsDown(body.locallyFree, bindCount)));
}

type UriDeclaration = NameDeclaration & { readonly uri: string };

function hasUri(declaration: NameDeclaration): declaration is UriDeclaration {
  return declaration.uri !== undefined;
}

/** By UTF-16 units, as the language compares strings; the sort is stable. */
function byUri(left: UriDeclaration, right: UriDeclaration): number {
  if (left.uri === right.uri) return 0;
  return left.uri < right.uri ? -1 : 1;
}
