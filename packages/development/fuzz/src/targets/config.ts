import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, explainConfig, keyNames, printProblem, printValue } from "@vedette/config";
import { must, refusedAs } from "../driver/Target.js";
import { textTarget } from "../driver/textTarget.js";

// In memory where there is such a place: each input is written.
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "vedette-fuzz-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const configFile = join(folder, "rnode.conf");

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: substitutions of HOCON
export const config = textTarget({
  name: "config",
  about: "any text of a configuration file is read, or refused with the problems that it has",
  cost: "expensive",
  files: ["config/"],
  words: [
    ...keyNames,
    ...[
      "=",
      ":",
      "+=",
      "{",
      "}",
      "[",
      "]",
      ",",
      "\n",
      "${",
      "${?",
      "HOME",
      "include ",
      'file("',
      '"""',
      '"',
      "\\u0041",
    ],
    ...[
      "# c",
      "// c",
      " true",
      " 10 minutes",
      " 16MB",
      " 1e400",
      " -1",
      " null",
      " 99999999999999999999",
      "ms",
      " infinite",
    ],
  ],
  texts: () => [
    "",
    "protocol-server { port = 40400, grpc-max-recv-message-size = 256K }",
    'api-server.host = "0.0.0.0" # comment\ncasper.genesis-block-data.number-of-active-validators = 100',
    "a = [1, 2] [3]\nb = ${a}\nc = ${?HOME}/x\ncasper.shard-name = ${b}",
    'storage.data-dir = """x\ny"""\npeers-discovery.lookup-interval = 20 seconds',
    'include "other.conf"\nx.y.z += 1',
    "a = ${b}\nb = ${a}",
  ],
  maxBytes: 700,
  check: (text) => {
    writeFileSync(configFile, text);
    try {
      const { problems, warnings, entries } = explainConfig({
        home: folder,
        configFile,
        environment: { HOME: folder },
      });
      for (const problem of [...problems, ...warnings]) must(printProblem(problem).length > 0, "a problem has a text");
      for (const entry of entries) must(printValue(entry).length > 0, "a value has a text");
    } catch (error) {
      refusedAs(error, ConfigError);
      must((error as Error).message.length < 100_000, "a refusal can be read");
    }
  },
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: substitutions of HOCON
