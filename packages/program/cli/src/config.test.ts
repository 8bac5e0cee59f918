// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HOCON's substitutions look like placeholders
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyNames } from "@vedette/config";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkConfig, showConfig } from "./config.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-check-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => void vi.stubEnv("OBSERVER_HOST", "203.0.113.7"));
afterEach(() => void vi.unstubAllEnvs());

const secret = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";

function check(text: string, options: Record<string, string | boolean> = {}) {
  const file = join(folder, "rnode.conf");
  writeFileSync(file, text);
  let output = "";
  const code = checkConfig(file, options, (line) => (output += `${line}\n`));
  expect(output).not.toContain(secret.slice(0, 8));
  return { code, output: output.replaceAll(folder, "…") };
}

test("every value is shown with its source", () => {
  vi.stubEnv("VEDETTE_CASPER_SHARD_NAME", "root2");
  const text = [
    "api-server {",
    "  host = ${?OBSERVER_HOST}",
    "  port-http = 8080",
    "}",
    "protocol-client.network-timeout = 90 s",
    `casper.validator-private-key = ${secret}`,
  ].join("\n");
  const { code, output } = check(text, { networkId: "devnet1" });
  expect(code).toBe(0);
  const lines = output.split("\n").map((line) => line.replace(/ +# /, " # "));
  expect(lines).toEqual(
    expect.arrayContaining([
      'api-server.host = "203.0.113.7" # …/rnode.conf:2:10 (environment variable OBSERVER_HOST)',
      "api-server.port-http = 8080 # …/rnode.conf:3:15",
      "api-server.port-admin-http = 40405 # default",
      "protocol-client.network-timeout = 90 seconds # …/rnode.conf:5:35",
      'protocol-client.network-id = "devnet1" # option --network-id',
      'casper.shard-name = "root2" # environment variable VEDETTE_CASPER_SHARD_NAME',
      "casper.validator-private-key = (set, not shown) # …/rnode.conf:6:32",
      "casper.synchrony-constraint-threshold = 0.67 # default",
      "casper.genesis-block-data.bond-maximum = 9223372036854775807 # default",
      `…/rnode.conf can be used: ${keyNames.length} settings, 7 of them not the defaults.`,
    ]),
  );
  expect(lines.filter((line) => line.includes(" = "))).toHaveLength(keyNames.length);
  expect(check(text, { changed: true }).output.match(/ = /g)).toHaveLength(5);
});

test("what is the default of the network's dialect is no change", () => {
  const { output } = check("dialect = f1r3node\nlogging.format = json", { changed: true });
  expect(output.match(/ = /g)).toHaveLength(1);
  expect(output).toContain("To know:\n  keys of f1r3node that have no meaning here: logging.format\n");
  expect(output).not.toContain("Warnings:");
});

test("errors end with 1; misspelt keys are guessed at every depth", () => {
  const { code, output } = check(
    `api-server.port-http = many\ncasper { genesis-block-data { epoch-lenght = 5 }, validator-private-key = [${secret}] }\nforeign = 1`,
  );
  expect(code).toBe(1);
  expect(output.slice(output.indexOf("Warnings:"))).toBe(
    [
      "Warnings:",
      "  …/rnode.conf:2:46: casper.genesis-block-data.epoch-lenght: there is no such key; did you mean casper.genesis-block-data.epoch-length?",
      "  …/rnode.conf:3:11: foreign: there is no such key",
      "",
      "Errors:",
      '  …/rnode.conf:1:24: api-server.port-http: must be a port from 0 to 65535, not "many"',
      "  …/rnode.conf:2:75: casper.validator-private-key: must be a private key: 64 hexadecimal digits, not something else",
      "",
      "…/rnode.conf cannot be used: 2 errors.",
      "",
    ].join("\n"),
  );
  expect(check("a = ").output).toContain("Errors:\n  …/rnode.conf:1:5: expected a value");
  expect(check("a = ${b}").code).toBe(1);
  expect(checkConfig(join(folder, "gone"), {}, () => {})).toBe(1);
});

test("key files that the start would refuse are reported with the words of the start", () => {
  const [key, open, tls] = ["validator.key", "open.key", "tls.pem"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const checked = (...lines: readonly string[]) => {
    const { code, output } = check(lines.join("\n"));
    const at = output.search(/^(Warnings|Errors):/m);
    return [code, at < 0 ? "" : output.slice(at).split("\n\n").slice(0, -1).join("\n")];
  };
  const named = (path: string) => `casper.validator-private-key-path = "${path}"`;
  expect(checked(named(key))).toEqual([
    1,
    expect.stringMatching(/^Errors:\n {2}…\/rnode.conf:1:37: casper.validator-private-key-path: cannot read .*ENOENT/),
  ]);
  writeFileSync(key, secret, { mode: 0o600 });
  expect(checked(named(key))).toEqual([0, ""]);
  writeFileSync(open, secret);
  chmodSync(open, 0o644);
  expect(checked(named(open))).toEqual([1, expect.stringContaining("is readable by every user of this machine")]);
  writeFileSync(key, "no key");
  expect(checked(named(key))).toEqual([1, expect.stringContaining("Expected base16-encoded (hex) private key.")]);
  writeFileSync(tls, "nonsense", { mode: 0o600 });
  expect(checked(`tls { key-path = "${tls}", certificate-path = "${folder}/none.pem" }`)).toEqual([
    1,
    expect.stringContaining("tls.key-path: Invalid secret key"),
  ]);
  expect(checked(`tls { custom-certificate-location = true, certificate-path = "${folder}/none.pem" }`)).toEqual([
    1,
    expect.stringContaining("tls.key-path: Certificate file …/none.pem not found"),
  ]);
  expect(checked(`api-server.keys.file = "${folder}/keys.json"`)).toEqual([
    1,
    expect.stringContaining("api-server.keys.file: "),
  ]);
});

test("a file cannot drive the terminal", () => {
  const { output } = check('protocol-server.network-id = "a\\u001b[2Jb"\n"x\\u0007y" = 1');
  expect(output).toContain('protocol-server.network-id = "a\\u001b[2Jb"');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test("--json prints the same, without secrets", () => {
  const printed = check(`casper.validator-private-key = ${secret}\napi-server.port = 5`, { json: true });
  const { file, isUsable, values, errors, warnings, notices } = JSON.parse(printed.output);
  expect([file, isUsable, errors, warnings]).toEqual(["…/rnode.conf", true, [], []]);
  expect(values).toHaveLength(keyNames.length);
  const of = (key: string) => values.find((value: { key: string }) => value.key === key);
  expect(of("casper.validator-private-key")).toMatchObject({ value: null, isSecret: true, isSet: true });
  expect(of("api-server.port-http")).toMatchObject({ value: 5, origin: { line: 2, column: 19 } });
  // Numbers of 64 bits are there in full.
  expect(printed.output).toContain('"casper.genesis-block-data.bond-maximum","value":9223372036854775807,');
  expect(notices).toEqual(["api-server.port is taken as api-server.port-http"]);
  const broken = JSON.parse(check("standalone = perhaps", { json: true }).output);
  expect(broken).toMatchObject({ isUsable: false, errors: [{ code: "wrongType", key: "standalone" }] });
});

test("all settings can be shown", () => {
  expect(showConfig(false)).toContain("# api-server.port-http = 40403\n");
  const rows = JSON.parse(showConfig(true));
  expect(rows).toHaveLength(keyNames.length);
  expect(rows.find(({ key }: { key: string }) => key === "tls.key-path")).toEqual({
    key: "tls.key-path",
    type: "path",
    default: "${storage.data-dir}/node.key.pem",
    option: "--tls-key-path",
    variable: "VEDETTE_TLS_KEY_PATH",
    isSecret: false,
    doc: "private key of the node's certificate",
  });
});
