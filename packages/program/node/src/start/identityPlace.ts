import type { Config } from "@vedette/config";
import type { IdentityPlace } from "@vedette/crypto";

/** Where the node's key and certificate are. @spec 50 §5.3 */
export function identityPlaceOf(config: Config): IdentityPlace {
  return {
    certificatePath: config["tls.certificate-path"],
    keyPath: config["tls.key-path"],
    isCustomCertificate: config["tls.custom-certificate-location"],
  };
}
