/** The program that looks a URI up in the registry and returns what is registered. */
export function lookupProgram(uri: string): string {
  return `new return, lookup(\`rho:registry:lookup\`) in { lookup!(\`${uri}\`, *return) }`;
}
