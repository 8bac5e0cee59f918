import { HttpClient } from "@vedette/client";
import { node } from "./node.js";
import { explorerSettings } from "./settings.js";

/** Returns the node that accepts the deploys signed here: the validator that the node names, or the node itself. */
export async function deployTaker(): Promise<HttpClient> {
  const { validator } = await explorerSettings();
  return validator === null ? node : new HttpClient(validator);
}
