import { closeSync, existsSync, fchmodSync, fstatSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorText } from "@vedette/errors";
import { replaceFile } from "../file/durableFile.js";
import { createNodeCertificate, type NodeCertificate, readNodeKey } from "./certificate.js";
import { IdentityError } from "./IdentityError.js";
import { nodeIdOfCertificate } from "./nodeId.js";

const readableByOthers = 0o004;

/** Where a node's key and certificate are, and whether they may be made. @spec 10 §2, 50 §5.3 */
export type IdentityPlace = {
  readonly certificatePath: string;
  readonly keyPath: string;
  /** The owner looks after the certificate: it is never generated. */
  readonly isCustomCertificate: boolean;
};

/** A node's identity, with notices for its owner about where it came from. @spec 10 §2 */
export type NodeIdentity = NodeCertificate & {
  readonly notices: readonly string[];
  /** Faults that were repaired, or cannot be repaired here. */
  readonly warnings: readonly string[];
};

/**
 * Reads a node's key and certificate and makes those that are missing.
 *
 * An expired certificate is kept, as peers look at the id alone.
 *
 * @spec 10 §2
 * @param nowMs the time from which a new certificate is valid
 * @param isOurs whether files of a user may be changed
 * @param setMode changes the mode of an open file
 * @throws {IdentityError} every code
 */
export function loadNodeIdentity(
  place: IdentityPlace,
  nowMs: number,
  isOurs: (uid: number) => boolean = isOfThisUser,
  setMode: (file: number, mode: number) => void = fchmodSync,
): NodeIdentity {
  const warnings = lookAtMode(place.keyPath, isOurs, (file, mode) => closeToOthers(file, mode, setMode));
  const notices = place.isCustomCertificate ? [] : generateMissing(place, nowMs);
  return { ...readIdentity(place), notices, warnings };
}

/**
 * Looks at a node's key and certificate as {@link loadNodeIdentity} does, and leaves everything as it is.
 *
 * @returns the faults that a start would repair
 * @throws {IdentityError} what a start would throw, as far as that can be known before
 */
export function checkNodeIdentity(
  place: IdentityPlace,
  isOurs: (uid: number) => boolean = isOfThisUser,
): readonly string[] {
  const warnings = lookAtMode(place.keyPath, isOurs, () => "a start closes it to them");
  const isMade = !place.isCustomCertificate && !existsSync(place.certificatePath);
  if (!isMade) readIdentity(place);
  else if (existsSync(place.keyPath)) readNodeKey(readText(place.keyPath, "keyUnreadable"));
  return warnings;
}

function readIdentity({ certificatePath, keyPath }: IdentityPlace): NodeCertificate {
  if (!existsSync(certificatePath)) throw new IdentityError({ code: "certificateMissing", path: certificatePath });
  if (!existsSync(keyPath)) throw new IdentityError({ code: "keyMissing", path: keyPath });
  const certificatePem = readText(certificatePath, "certificateUnreadable");
  const privateKeyPem = readText(keyPath, "keyUnreadable");
  // The transport needs the key in one of the usual forms, whatever else the file contains.
  const key = readNodeKey(privateKeyPem).export({ type: "pkcs8", format: "pem" }).toString();
  return { nodeId: nodeIdOfCertificate(certificatePem), certificatePem, privateKeyPem: key };
}

/** Root may change all files. */
function isOfThisUser(uid: number): boolean {
  const user = process.getuid?.();
  return user === uid || user === 0;
}

/**
 * A holder of the key can pose as this node among peers. A file of this user that all users can read is closed to them:
 * it may have been copied so, and a restarted node must not stop for that. A file of another user is refused. One on a
 * read-only file system, as where a container has it mounted, can only be reported.
 */
function lookAtMode(
  path: string,
  isOurs: (uid: number) => boolean,
  mend: (file: number, mode: number) => string,
): string[] {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { mode, uid } = fstatSync(file);
    if (process.platform === "win32" || (mode & readableByOthers) === 0) return [];
    if (!isOurs(uid)) throw new IdentityError({ code: "keyOpenToOthers", path, mode: mode & 0o777 });
    return [
      `The node's key ${path} is readable by every user of this machine (mode ${(mode & 0o777).toString(8)}); ${mend(file, mode)}. If another user may have copied it, remove key and certificate: the node makes new ones, and has another id.`,
    ];
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || file === undefined) return [];
    throw new IdentityError({ code: "keyOpenToOthers", path, mode: statSync(path).mode & 0o777 }, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function closeToOthers(file: number, mode: number, setMode: (file: number, mode: number) => void): string {
  const isClosed = isChanged(() => setMode(file, mode & 0o770));
  return isClosed
    ? "it is closed to them now"
    : "it lies on a read-only file system: close it where that comes from, with chmod 600";
}

/** @returns false on a read-only file system */
function isChanged(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EROFS") return false;
    throw error;
  }
}

function generateMissing({ certificatePath, keyPath }: IdentityPlace, nowMs: number): string[] {
  if (existsSync(certificatePath)) return [];
  const notices = [`No certificate found at path ${certificatePath}`, "Generating a X.509 certificate for the node"];
  if (existsSync(keyPath)) {
    notices.push(`Using secret key ${keyPath}`);
    const made = createNodeCertificate(nowMs, readText(keyPath, "keyUnreadable"));
    writeNew(certificatePath, made.certificatePem, 0o644);
    return notices;
  }
  notices.push("Generating a PEM secret key for the node");
  const made = createNodeCertificate(nowMs);
  // The key goes first: a certificate alone would stop the next start.
  writeNew(keyPath, made.privateKeyPem, 0o600);
  writeNew(certificatePath, made.certificatePem, 0o644);
  return notices;
}

function readText(path: string, code: "certificateUnreadable" | "keyUnreadable"): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new IdentityError({ code, reason: errorText(error) }, { cause: error });
  }
}

function writeNew(path: string, text: string, mode: number): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // A part of one would keep the node from ever starting again.
    replaceFile(path, text, mode);
  } catch (error) {
    throw new IdentityError({ code: "cannotWrite", path, reason: errorText(error) }, { cause: error });
  }
}
