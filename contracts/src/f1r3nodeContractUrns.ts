/**
 * The URNs with other names on f1r3node networks.
 *
 * @spec 41 §11, 61 §8, §11
 */
const f1r3nodeContractUrns: ReadonlyMap<string, string> = new Map([
  ["rho:rchain:asiVault", "rho:vault:system"],
  ["rho:rchain:multiSigASIVault", "rho:vault:multiSig"],
  ["rho:rchain:pos", "rho:system:pos"],
  ["rho:rchain:authKey", "rho:system:authKey"],
  ["rho:rchain:makeMint", "rho:system:makeMint"],
  ["rho:rchain:deployerId:ops", "rho:system:deployerId:ops"],
  ["rho:asi:address", "rho:vault:address"],
]);

/** Returns a program with the URNs of f1r3node in place of those of rnode. */
export function withF1r3nodeUrns(program: string): string {
  return program.replace(/`([^`\n]+)`/g, (whole, urn: string) => {
    const f1r3nodeUrn = f1r3nodeContractUrns.get(urn);
    return f1r3nodeUrn === undefined ? whole : `\`${f1r3nodeUrn}\``;
  });
}
