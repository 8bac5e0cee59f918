/** Commands of documents that a test may run: they write only to their own folder and use no network. */
export const mayRun = /^((npx )?vedette |source <\(vedette |echo |cat program\.rho |npm run simulate -- --help)/;

/** Guides that a test follows from an empty folder to their end, beside a chain of `vedette dev`. */
export const wholeGuides = ["docs/how-to/dev.md", "docs/tutorial/voting-app.md", "docs/how-to/backend.md"] as const;

/** Guides that a test follows from empty folders to their end, with nodes that it starts and ends. */
export const operatorGuides = ["docs/how-to/operations.md", "docs/how-to/migrate-from-rnode.md"] as const;

/** Why a step of one of these is not followed. */
export const notFollowed: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^docker /,
    "it wants an engine; that the files are right is a test of devnet's (dockerFiles), metrics' names of node's",
  ],
  [/^npm install --global /, "it wants the registry; an upgrade is followed by starting on the data of the run before"],
  [/^apt install /, "it changes the machine; tests of the package run it, with its unit, in a separate machine"],
];

/** Why a command of a document is not run by the tests: the first pattern that fits. */
export const notRun: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/<[^>]+>|…/, "the reader fills something in"],
  [
    /^npm (ci|test|start|i |install|pack)|^(INTEROP_CLIENTS=\S+ )?npm run (check|test|docs)/,
    "it is what CI does, or takes minutes",
  ],
  [/^npm run (release|image)/, "it makes packages; separate tests try them"],
  [/\/etc\/vedette|^vedette-linux-x64|^nano /, "it is for a machine with one of the packages; their tests try them"],
  [/^helm /, "it wants a cluster; devnet's chart.long.test looks at what the chart makes"],
  [/^cp \S*\.env/, "it belongs to the observer's compose file"],
  [/ > ~\//, "it changes the reader's shell"],
  [/^npm run simulate -- --seed/, "it takes minutes; the share of a day runs in CI"],
  [
    /^(PATH=\S+ )?(vedette|npx vedette) (run|network|fleet|dev|doctor)\b/,
    "it runs until it is ended; process tests start nodes so",
  ],
  [
    /^(vedette|npx vedette) (deploy|propose|transfer|bond|bonds|blocks|checkpoint|status|repl|call|registry|events|top|logs|sql|export|index)\b/,
    "it wants a node",
  ],
  [/^vedette sink\b/, "it runs until it is ended; its own process test starts it so"],
  [/^vedette light\b/, "it runs until it is ended; its own integration test serves so"],
  [/^vedette lsp\b/, "it waits for an editor; its own test is one"],
  [/^VEDETTE_CASPER/, "it runs until it is ended; process tests hold ceremonies"],
  [/^N=|^curl |^grpcurl /, "it wants a node"],
  [/VEDETTE_PRIVATE_KEY=\$\(cat /, "it wants a node; the client's tests run the examples"],
  [
    /^(sudo |docker |podman|apt|dpkg|systemctl|journalctl|nano |tar |npx )(?!vedette)/,
    "it changes the machine, or wants the network",
  ],
  [/\/(etc|var|mnt)\/|^vedette-linux|^cp \.env/, "it wants what packages install; tests of theirs try them"],
];
