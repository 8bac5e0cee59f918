import { createContextKey } from "@connectrpc/connect";

/** The address from which a call came, where that is known: whom it is counted for. @spec 50 §1.11 */
export const callClient = createContextKey<string | undefined>(undefined, { description: "address of the client" });
