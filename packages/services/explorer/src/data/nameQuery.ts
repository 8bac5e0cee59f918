import { type NetworkDialect, type StateQuery, systemNames } from "@vedette/client";

/** The ways in which a name can be given, with what is to be written; of a URI that depends on the network. */
export const ways = {
  uri: { word: "URI", example: undefined },
  name: { word: "Name of a process", example: '"hello"' },
  vault: { word: "Address of a vault", example: "1111…" },
  private: { word: "Unforgeable name", example: "64 hexadecimal digits" },
  deployId: { word: "Deploy id", example: "a deploy's signature" },
  deployerId: { word: "Deployer's key", example: "04…" },
} as const;

/** Names are part of addresses, of pages and of requests: longer ones are not looked up. */
export const maxNameLength = 2_000;

/** @see ways */
export type NameLookup = keyof typeof ways;

/** Returns an example of a name in this form. */
export function exampleOf(way: NameLookup, dialect: NetworkDialect): string {
  return ways[way].example ?? systemNames[dialect].vaults;
}

export function isWay(text: unknown): text is NameLookup {
  return typeof text === "string" && Object.hasOwn(ways, text);
}

/** Makes the query for a name; a copied text often has a mark too many around it. */
export function queryOf(way: NameLookup, text: string): StateQuery {
  const bare = text.trim();
  switch (way) {
    case "uri":
      return { uri: [bare.replaceAll("`", "")] };
    case "name":
      return { name: [bare.replace(/^@/, "")] };
    case "vault":
      return { vault: [bare] };
    case "private":
      return { private: [bare.replace(/^(Unforgeable\()?(0x)?([0-9a-fA-F]+)\)?$/, "$3")] };
    case "deployId":
      return { deployId: [bare.replace(/^0x/, "")] };
    case "deployerId":
      return { deployerId: [bare.replace(/^0x/, "")] };
  }
}
