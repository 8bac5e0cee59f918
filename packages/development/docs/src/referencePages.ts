import { commandsPage } from "./pages/commands.js";
import { conditionsPage } from "./pages/conditions.js";
import { configurationPage } from "./pages/configuration.js";
import { errorsPage } from "./pages/errors.js";
import { grpcMethodsPage } from "./pages/grpcMethods.js";
import { httpRoutesPage } from "./pages/httpRoutes.js";
import { lintRulesPage } from "./pages/lintRules.js";
import { metricsPage } from "./pages/metrics.js";
import { rulesPage } from "./pages/rules.js";
import { schemaPage } from "./pages/schema.js";

/** The generated pages of `docs/reference`, by their files' names. */
export const referencePages: { readonly [file: string]: () => string } = {
  "commands.md": commandsPage,
  "conditions.md": conditionsPage,
  "configuration.md": configurationPage,
  "errors.md": errorsPage,
  "grpc.md": grpcMethodsPage,
  "http.md": httpRoutesPage,
  "lint.md": lintRulesPage,
  "metrics.md": metricsPage,
  "rules.md": rulesPage,
  "schema.md": schemaPage,
};
