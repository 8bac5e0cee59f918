import type { Expr, Unforgeable } from "@vedette/terms";

/** The name of a value's type in error texts. @spec 21 §5.2 */
export function typeName(expr: Expr): string {
  switch (expr.kind) {
    case "GBool":
      return "Bool";
    case "GInt":
      return "Int";
    case "GString":
      return "String";
    case "GUri":
      return "Uri";
    case "GByteArray":
      return "ByteArray";
    case "EList":
      return "List";
    case "ETuple":
      return "Tuple";
    case "ESet":
      return "Set";
    case "EMap":
      return "Map";
    default:
      return "Unit";
  }
}

/** The name of an unforgeable's type in error texts. @spec 21 §5.2 */
export function unforgeableTypeName(unforgeable: Unforgeable): string {
  switch (unforgeable.kind) {
    case "GPrivate":
      return "PrivateBody";
    case "GDeployId":
      return "DeployId";
    case "GDeployerId":
      return "DeployerId";
    case "GSysAuthToken":
      return "SysAuthToken";
    case "EmptyUnforgeable":
      return "Empty";
  }
}
