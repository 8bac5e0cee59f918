/** Channels of f1r3node that have other names on networks of the newer one. @spec 61 §8 */
export const renamedChannels: ReadonlyMap<string, string> = new Map([
  ["rho:asi:address", "rho:vault:address"],
  ["rho:rchain:deployerId:ops", "rho:system:deployerId:ops"],
]);
