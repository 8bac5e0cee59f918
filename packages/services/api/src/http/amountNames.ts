import type { TSchema } from "typebox";
import { innerSchemas, type Keywords } from "./readBySchema.js";

/**
 * The names of members that are amounts (`amount64`), which are printed as decimal texts.
 *
 * @throws TypeError where a member of such a name is another integer elsewhere in the schema
 */
export function amountNames(schema: TSchema): ReadonlySet<string> {
  const [amounts, others] = [new Set<string>(), new Set<string>()];
  const seen = new Set<Keywords>();
  const look = (keywords: Keywords) => {
    if (seen.has(keywords)) return;
    seen.add(keywords);
    for (const { name, isAmount } of integersOf(keywords)) (isAmount ? amounts : others).add(name);
    for (const inner of innerSchemas(keywords)) look(inner);
  };
  look(schema as Keywords);
  for (const name of amounts) if (others.has(name)) throw new TypeError(`${name} is an amount, and another integer`);
  return amounts;
}

function integersOf({ properties = {} }: Keywords): { readonly name: string; readonly isAmount: boolean }[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const kinds = (member.anyOf ?? [member]).filter(({ format }) => format === "int64");
    return kinds.map(({ type }) => ({ name, isAmount: type === "string" }));
  });
}
