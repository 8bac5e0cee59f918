import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CommandHost } from "../client/CommandHost.js";
import { exitCodes } from "../exitCodes.js";

/** Makes a contract project. @returns the exit code */
export function newProject(name: string, host: Pick<CommandHost, "print" | "note">): number {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) {
    host.note(`vedette: ${name} cannot be the name of a project: take letters, digits, "-", "_" and ".", 64 at most`);
    return exitCodes.failure;
  }
  try {
    mkdirSync(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    host.note(`vedette: ${name} is there already; take another name, or remove it`);
    return exitCodes.failure;
  }
  for (const [path, text] of Object.entries(files(name))) {
    const file = join(name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (path.endsWith(".sh")) chmodSync(file, 0o755);
  }
  host.print(`Made ${name}. Go on with:\n\n  cd ${name}\n  vedette test\n`);
  return exitCodes.success;
}

function files(name: string): Readonly<Record<string, string>> {
  return {
    "contracts/counter.rho": contract,
    "tests/counter.rho": tests,
    "scripts/deploy.sh": deployScript,
    ".github/workflows/test.yml": workflow,
    ".gitignore": "*.key\njunit.xml\n",
    "README.md": readme(name),
  };
}

const contract = `// A counter that any program may read and step up. Its URI goes to the deploy's id.
new counter, value, uriCh, insert(\`rho:registry:insertArbitrary\`),
    deployId(\`rho:rchain:deployId\`) in {
  value!(0) |
  contract counter(@"step", @by, ret) = {
    if (by > 0) {
      for (@count <- value) { value!(count + by) | ret!((true, count + by)) }
    } else {
      ret!((false, "a step must be positive"))
    }
  } |
  contract counter(@"value", ret) = {
    for (@count <<- value) { ret!(count) }
  } |
  insert!(bundle+{*counter}, *uriCh) |
  for (uri <- uriCh) { deployId!(*uri) }
}
`;

const tests = `//: deploy ../contracts/counter.rho

//: case a new counter stands at 0
new ret, found in {
  lookup!($$deployed$$, *found) |
  for (counter <- found) { counter!("value", *ret) | answers!(*ret, 0) }
}

//: case steps add up
new ret, found in {
  lookup!($$deployed$$, *found) |
  for (counter <- found) {
    counter!("step", 2, *ret) |
    for (@first <- ret) {
      equal!(first, (true, 2)) |
      counter!("step", 3, *ret) |
      answers!(*ret, (true, 5))
    }
  }
}

//: case a step back is refused
new ret, found in {
  lookup!($$deployed$$, *found) |
  for (counter <- found) {
    counter!("step", -1, *ret) | answers!(*ret, (false, "a step must be positive"))
  }
}
`;

const deployScript = `#!/usr/bin/env bash
# Deploys the contract and waits until it is final. VEDETTE_PRIVATE_KEY_FILE names the key that pays,
# VEDETTE_NODE or the options given here the node.
set -euo pipefail
cd "$(dirname "$0")/.."
vedette deploy -f contracts/counter.rho --wait "$@"
`;

const workflow = `name: test
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm install --global vedette
      - run: vedette fmt --check
      - run: vedette lint
      - run: vedette test --junit junit.xml
`;

function readme(name: string): string {
  return `# ${name}

| | |
|---|---|
| \`contracts/counter.rho\` | the contract |
| \`tests/counter.rho\` | its tests |
| \`scripts/deploy.sh\` | puts it on a chain |

    vedette test          # run the tests
    vedette fmt           # lay the programs out
    vedette lint          # what is probably wrong
    vedette dev           # a chain on your desk to deploy it to
`;
}
