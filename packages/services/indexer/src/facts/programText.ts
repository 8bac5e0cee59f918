/** Words by which the ecosystem's indexer classifies programs; the first line that fits decides. @spec 60 §3 */
const kinds: readonly { readonly words: readonly string[]; readonly type: string }[] = [
  { words: ["ASIVault", "transfer"], type: "asi_transfer" },
  { words: ["validator"], type: "validator_operation" },
  { words: ["bond"], type: "validator_operation" },
  { words: ["finalizer"], type: "finalizer_contract" },
  { words: ["registry", "lookup"], type: "registry_lookup" },
  { words: ["auction"], type: "auction_contract" },
];

/** Returns the probable kind of a program, by its words. @spec 60 §3 */
export function deploymentType(term: string): string {
  return kinds.find(({ words }) => words.every((word) => term.includes(word)))?.type ?? "smart_contract";
}
