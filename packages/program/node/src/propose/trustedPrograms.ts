import { bondTerm, type NetworkDialect, transferTerm, transferWithResultTerm, unbondTerm } from "@vedette/client";

/** Any address: what differs between two uses of a program does not count. */
const anyAddress = "11112XQXMFMsncUo58BXjncucQ1i679zFJutMiDSGcTDXNNn12RHqN";

/** The programs of wallets: what they do does not depend on the texts and numbers in them. @spec 40 §9.5 */
export function trustedPrograms(dialect: NetworkDialect): readonly string[] {
  return [
    transferTerm(anyAddress, anyAddress, 1n, dialect),
    transferWithResultTerm(anyAddress, anyAddress, 1n, dialect),
    bondTerm(1n, dialect),
    unbondTerm(dialect),
  ];
}
