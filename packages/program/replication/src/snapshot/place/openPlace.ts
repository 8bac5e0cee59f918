import { SnapshotError } from "../SnapshotError.js";
import { FolderStorage } from "./FolderStorage.js";
import type { S3Options } from "./S3Storage.js";
import type { SnapshotStorage } from "./SnapshotStorage.js";

/**
 * The place that a text names: a folder, or `s3://bucket/prefix`.
 *
 * @throws {SnapshotError} `placeUnusable` for a text that names none
 */
export async function openPlace(
  text: string,
  options: Pick<S3Options, "endpoint" | "region"> = {},
): Promise<SnapshotStorage> {
  const [, scheme, rest] = /^([a-z0-9+]+):\/\/(.*)$/.exec(text) ?? [];
  if (scheme === undefined) return new FolderStorage(text);
  const unusable = (reason: string) => new SnapshotError({ code: "placeUnusable", place: text, reason });
  if (scheme !== "s3") throw unusable("give a folder, or s3://bucket/prefix");
  const [, bucket, path] = /^([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(rest!) ?? [];
  if (bucket === undefined)
    throw unusable("the name of a bucket has 3 to 63 small letters, digits, points and hyphens");
  if (options.endpoint !== undefined && !/^https?:\/\/[^/]+/.test(options.endpoint))
    throw unusable("--endpoint must be a URL, such as https://s3.example.org");
  const folder = (path ?? "").replace(/\/+$/, "");
  // Without this, every call prints which Node.js the client's coming versions require.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  // Loaded on demand: the client is large, and folders do not need it.
  const { S3Storage } = await import("./S3Storage.js");
  return new S3Storage(bucket, folder === "" ? "" : `${folder}/`, options);
}
