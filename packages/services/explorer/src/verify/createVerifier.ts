import type { HttpClient } from "@vedette/client";
import { TrustStore } from "./TrustStore.js";
import { Verifier } from "./Verifier.js";

/** The verifier of this browser for the node of the page. */
export function createVerifier(node: HttpClient, onChange: () => void): Verifier {
  // A browser may refuse the store itself.
  const store = new TrustStore({
    getItem: (name) => localStorage.getItem(name),
    setItem: (name, value) => localStorage.setItem(name, value),
  });
  return new Verifier({ node, store, onChange });
}
