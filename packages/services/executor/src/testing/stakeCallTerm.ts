/** A program that calls the contract of the stakes on f1r3node networks. @param call but for the channel of the answer */
export function stakeCallTerm(call: string): string {
  return `new deployerId(\`rho:system:deployerId\`), lookup(\`rho:registry:lookup\`), found, answer in {
    lookup!(\`rho:system:pos\`, *found) |
    for (@(_, stakes) <- found) { @stakes!(${call}, *answer) }
  }`;
}
