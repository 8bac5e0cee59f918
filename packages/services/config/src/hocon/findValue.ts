import type { HoconValue, ObjectValue } from "./hoconNode.js";

/** The value at a path, as `sync.verify-delay`. @spec 50 §5.2 */
export function findValue(root: ObjectValue, path: string): HoconValue | undefined {
  let value: HoconValue | undefined = root;
  for (const part of path.split(".")) value = value?.kind === "object" ? value.fields.get(part) : undefined;
  return value;
}
