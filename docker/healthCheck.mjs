// Whether the node of this container serves its API: then the exit code is 0. Without curl, as the image has none. The
// port: argument, variable of the configuration, or the usual one.
const port = process.argv[2] ?? process.env.VEDETTE_API_SERVER_PORT_HTTP ?? "40403";
try {
  const response = await fetch(`http://127.0.0.1:${port}/status`, { signal: AbortSignal.timeout(8_000) });
  const { version } = await response.json();
  process.exitCode = response.ok && typeof version === "string" && version !== "" ? 0 : 1;
} catch {
  process.exitCode = 1;
}
