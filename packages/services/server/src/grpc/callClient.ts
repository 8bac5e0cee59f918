import { createContextKey } from "@connectrpc/connect";

/** Address of the client that a call is counted for; `undefined` if unknown. @spec 50 §1.11 */
export const callClient = createContextKey<string | undefined>(undefined, { description: "address of the client" });
