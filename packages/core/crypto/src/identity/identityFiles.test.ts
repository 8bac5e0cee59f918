import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkNodeIdentity, type IdentityPlace, loadNodeIdentity } from "./identityFiles.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-identity-"));
afterAll(() => rmSync(folder, { recursive: true }));

const now = Date.UTC(2025, 0, 1);
let count = 0;
const newPlace = (isCustomCertificate = false): IdentityPlace => {
  const data = join(folder, `data${count++}`);
  return {
    certificatePath: join(data, "node.certificate.pem"),
    keyPath: join(data, "node.key.pem"),
    isCustomCertificate,
  };
};

test("a first start makes key and certificate, and the next one keeps them", () => {
  const place = newPlace();
  const first = loadNodeIdentity(place, now);
  expect(first.notices).toEqual([
    `No certificate found at path ${place.certificatePath}`,
    "Generating a X.509 certificate for the node",
    "Generating a PEM secret key for the node",
  ]);
  expect(statSync(place.keyPath).mode & 0o777).toBe(0o600);
  const second = loadNodeIdentity(place, now + 400 * 86_400_000);
  expect(second).toEqual({ ...first, notices: [] });
});

test("a lost certificate is made anew for the same key, so that the id stays", () => {
  const place = newPlace();
  const first = loadNodeIdentity(place, now);
  rmSync(place.certificatePath);
  const second = loadNodeIdentity(place, now);
  expect(second.nodeId).toEqual(first.nodeId);
  expect(second.notices.at(-1)).toBe(`Using secret key ${place.keyPath}`);
});

test("a certificate that the owner looks after is never made", () => {
  const place = newPlace(true);
  expect(() => loadNodeIdentity(place, now)).toThrow(`Certificate file ${place.certificatePath} not found`);
  expect(existsSync(place.certificatePath)).toBe(false);
});

test("a certificate without its key, a bad key and a bad certificate stop the start", () => {
  const place = newPlace();
  loadNodeIdentity(place, now);
  const key = readFileSync(place.keyPath, "utf8");
  rmSync(place.keyPath);
  expect(() => loadNodeIdentity(place, now)).toThrow(`Secret key file ${place.keyPath} not found`);
  writeFileSync(place.keyPath, "nonsense");
  expect(() => loadNodeIdentity(place, now)).toThrow("Invalid secret key: ");
  writeFileSync(place.keyPath, key);
  writeFileSync(place.certificatePath, "nonsense");
  expect(() => loadNodeIdentity(place, now)).toThrow("Failed to read the X.509 certificate: ");
});

test("a key that every user could read is closed to them, and its owner is warned", () => {
  const place = newPlace();
  const first = loadNodeIdentity(place, now);
  chmodSync(place.keyPath, 0o644);
  const second = loadNodeIdentity(place, now);
  expect(statSync(place.keyPath).mode & 0o777).toBe(0o640);
  expect(second.warnings).toEqual([expect.stringContaining(`${place.keyPath} is readable by every user`)]);
  expect([second.nodeId, loadNodeIdentity(place, now).warnings]).toEqual([first.nodeId, []]);
});

test("such a key on a read-only file system is reported, as where a container has it mounted", () => {
  const place = newPlace();
  const first = loadNodeIdentity(place, now);
  chmodSync(place.keyPath, 0o644);
  const isReadOnly = () => {
    throw Object.assign(new Error("read-only file system"), { code: "EROFS" });
  };
  const second = loadNodeIdentity(place, now, () => true, isReadOnly);
  expect(second.nodeId).toEqual(first.nodeId);
  expect(second.warnings).toEqual([expect.stringMatching(/is readable by every user.* read-only file system/)]);
});

test("such a key of another user is refused, with what to do", () => {
  const place = newPlace();
  loadNodeIdentity(place, now);
  chmodSync(place.keyPath, 0o604);
  expect(() => loadNodeIdentity(place, now, () => false)).toThrow(`chmod 600 ${place.keyPath}`);
  expect(statSync(place.keyPath).mode & 0o777).toBe(0o604);
});

test("they can be checked before a start, with the same reports and no changes", () => {
  const place = newPlace();
  expect(checkNodeIdentity(place)).toEqual([]);
  expect(existsSync(place.keyPath)).toBe(false);
  expect(() => checkNodeIdentity({ ...place, isCustomCertificate: true })).toThrow("not found");
  loadNodeIdentity(place, now);
  expect(checkNodeIdentity(place)).toEqual([]);
  chmodSync(place.keyPath, 0o644);
  expect(checkNodeIdentity(place)).toEqual([expect.stringContaining("(mode 644); a start closes it to them.")]);
  expect(statSync(place.keyPath).mode & 0o777).toBe(0o644);
  expect(() => checkNodeIdentity(place, () => false)).toThrow(`chmod 600 ${place.keyPath}`);
  rmSync(place.certificatePath);
  writeFileSync(place.keyPath, "nonsense");
  expect(() => checkNodeIdentity(place)).toThrow("Invalid secret key: ");
});
