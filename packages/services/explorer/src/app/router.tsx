import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { isDay } from "../data/indexConditions.js";
import { isWay } from "../data/nameQuery.js";
import { Frame } from "../frame/Frame.js";
import { HomePage } from "../page/home/HomePage.js";
import { NotFound } from "../page/NotFound.js";
import { PageError } from "../page/PageError.js";

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });
const under = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

type Search = Record<string, unknown>;

/** Reads a height from the page's address, which may hold any text; `undefined` for all but whole numbers. */
function heightIn(value: unknown): number | undefined {
  const height = Number(value);
  return value !== undefined && value !== "" && Number.isSafeInteger(height) && height >= 0 ? height : undefined;
}

function textIn(value: unknown, most = 2_000): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, most) : undefined;
}

function oneOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}

/** Where a list begins, and of which days it is. */
function listIn({ from, page, since, until }: Search) {
  const pages = heightIn(page);
  return {
    ...{ from: heightIn(from), page: pages === 0 ? undefined : pages && Math.min(pages, maxPage) },
    ...{ since: isDay(since) ? since : undefined, until: isDay(until) ? until : undefined },
  };
}

/** Greatest number of a page: that many rows fit in no list. */
const maxPage = 10_000_000;

/** Leaves members out that have no value: an address shows what was chosen and nothing else. */
function chosen<T extends object>(values: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

const routes = [
  createRoute({ ...under("/"), component: HomePage }),
  createRoute({
    ...under("/explorer/blocks"),
    component: lazyRouteComponent(() => import("../page/blocks/BlocksPage.js"), "BlocksPage"),
    validateSearch: ({ by, state, sort, ...others }: Search) =>
      chosen({
        ...{ by: textIn(by, 140), state: oneOf(["pending", "finalized", "forkedAway"], state) },
        ...{ sort: oneOf(["oldest", "deploys", "cost"], sort), ...listIn(others) },
      }),
  }),
  createRoute({
    ...under("/explorer/block/$hash"),
    component: lazyRouteComponent(() => import("../page/block/BlockPage.js"), "BlockPage"),
  }),
  createRoute({
    ...under("/explorer/deploys"),
    component: lazyRouteComponent(() => import("../page/deploys/DeploysPage.js"), "DeploysPage"),
    validateSearch: ({ by, state, kind, sort, ...others }: Search) =>
      chosen({
        ...{
          by: textIn(by, 140),
          state: oneOf(["included", "finalized", "failed", "rejected", "expired", "forkedAway"], state),
          kind: textIn(kind, 40),
          sort: oneOf(["oldest", "cost"], sort),
        },
        ...listIn(others),
      }),
  }),
  createRoute({
    ...under("/explorer/deploy/$id"),
    component: lazyRouteComponent(() => import("../page/deploy/DeployPage.js"), "DeployPage"),
  }),
  createRoute({
    ...under("/explorer/transfers"),
    component: lazyRouteComponent(() => import("../page/transfers/TransfersPage.js"), "TransfersPage"),
    validateSearch: ({ account, least, most, sort, state, ...others }: Search) =>
      chosen({
        ...listIn(others),
        ...{ account: textIn(account, 140), least: textIn(least, 40), most: textIn(most, 40) },
        ...{
          sort: oneOf(["amount"], sort),
          state: oneOf(["included", "finalized", "failed", "rejected", "expired"], state),
        },
      }),
  }),
  createRoute({
    ...under("/explorer/accounts"),
    component: lazyRouteComponent(() => import("../page/accounts/AccountsPage.js"), "AccountsPage"),
  }),
  createRoute({
    ...under("/explorer/account/$address"),
    component: lazyRouteComponent(() => import("../page/account/AccountPage.js"), "AccountPage"),
  }),
  createRoute({
    ...under("/explorer/validators"),
    component: lazyRouteComponent(() => import("../page/validators/ValidatorsPage.js"), "ValidatorsPage"),
    validateSearch: ({ over, sort }: Search) =>
      chosen({
        over: oneOf(["day", "yesterday", "week"], over),
        sort: oneOf(["proposed", "withoutBlock", "orphaned"], sort),
      }),
  }),
  createRoute({
    ...under("/explorer/validator/$key"),
    component: lazyRouteComponent(() => import("../page/validator/ValidatorPage.js"), "ValidatorPage"),
    validateSearch: ({ from, blocks }: Search) => chosen({ from: heightIn(from), blocks: oneOf(["orphaned"], blocks) }),
  }),
  createRoute({
    ...under("/explorer/epochs"),
    component: lazyRouteComponent(() => import("../page/epochs/EpochsPage.js"), "EpochsPage"),
    validateSearch: ({ from }: Search) => chosen({ from: heightIn(from) }),
  }),
  createRoute({
    ...under("/explorer/dag"),
    component: lazyRouteComponent(() => import("../page/dag/DagPage.js"), "DagPage"),
    validateSearch: ({ to }: Search) => chosen({ to: heightIn(to) }),
  }),
  createRoute({
    ...under("/explorer/network"),
    component: lazyRouteComponent(() => import("../page/network/NetworkPage.js"), "NetworkPage"),
  }),
  createRoute({
    ...under("/explorer/state"),
    component: lazyRouteComponent(() => import("../page/state/StatePage.js"), "StatePage"),
    validateSearch: ({ by, of, at }: Search) =>
      chosen({ by: isWay(by) ? by : undefined, of: textIn(of, Number.POSITIVE_INFINITY), at: textIn(at, 64) }),
  }),
  createRoute({
    ...under("/explorer/registry"),
    component: lazyRouteComponent(() => import("../page/registry/RegistryPage.js"), "RegistryPage"),
    validateSearch: ({ by, ...others }: Search) => chosen({ by: textIn(by, 140), ...listIn(others) }),
  }),
  createRoute({
    ...under("/explorer/contract/$uri"),
    component: lazyRouteComponent(() => import("../page/contract/ContractPage.js"), "ContractPage"),
  }),
  createRoute({
    ...under("/explorer/statistics"),
    component: lazyRouteComponent(() => import("../page/statistics/StatisticsPage.js"), "StatisticsPage"),
    validateSearch: ({ heights, by }: Search) => chosen({ heights: heightIn(heights), by: oneOf(["hour", "day"], by) }),
  }),
  createRoute({
    ...under("/explorer/playground"),
    component: lazyRouteComponent(() => import("../page/playground/PlaygroundPage.js"), "PlaygroundPage"),
  }),
  createRoute({
    ...under("/explorer/verification"),
    component: lazyRouteComponent(() => import("../page/verification/VerificationPage.js"), "VerificationPage"),
  }),
  createRoute({
    ...under("/explorer/search"),
    component: lazyRouteComponent(() => import("../page/SearchPage.js"), "SearchPage"),
    validateSearch: ({ q }: Search) => chosen({ q: textIn(q, 600) }),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultErrorComponent: PageError,
  defaultPreload: "intent",
  scrollRestoration: true,
  // Addresses show URIs as programs write them.
  pathParamsAllowedCharacters: [":"],
  // Values that no page knows are taken out of the address; pages see none of them.
  search: { strict: true },
  // Every address is text: hashes of digits only are no numbers.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === "" ? "" : `?${text}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
