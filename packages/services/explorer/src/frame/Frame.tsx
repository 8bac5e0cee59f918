import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useChain } from "../data/useChain.js";
import { useStatus } from "../data/useStatus.js";
import { Icon } from "../part/Icon.js";
import { Text } from "../part/Text.js";
import { printWhole } from "../text/numbers.js";
import mark from "../theme/mark.svg";
import { LieBanner } from "./LieBanner.js";
import { Search } from "./Search.js";
import { chooseTheme, useTheme } from "./theme.js";

const pages = [
  ["/explorer/blocks", "Blocks"],
  ["/explorer/deploys", "Deploys"],
  ["/explorer/transfers", "Transfers"],
  ["/explorer/accounts", "Accounts"],
  ["/explorer/validators", "Validators"],
  ["/explorer/registry", "Contracts"],
  ["/explorer/statistics", "Statistics"],
  ["/explorer/playground", "Playground"],
] as const;
const morePages = [
  ["/explorer/epochs", "Epochs"],
  ["/explorer/dag", "DAG"],
  ["/explorer/state", "State"],
  ["/explorer/network", "Network"],
  ["/explorer/verification", "Verification"],
] as const;
/** Pages of the node, but not of the explorer. */
const besides = [
  ["/guide/", "Guide"],
  ["/docs", "API"],
  ["/graphql", "GraphQL"],
] as const;

/** The frame around every page. */
export function Frame() {
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setOpen(false), [path]);
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="top">
        <div className="top-row">
          <Link to="/" className="brand" aria-label="Vedette, home">
            <img src={mark} alt="" />
            <span>Vedette</span>
          </Link>
          <nav className={isOpen ? "nav open" : "nav"} id="nav" aria-label="Pages">
            {pages.map(([to, name]) => (
              <Link key={to} to={to} activeProps={{ "aria-current": "page" }}>
                {name}
              </Link>
            ))}
            <More key={path} />
          </nav>
          <Search />
          <ThemeButton />
          <button
            type="button"
            className="icon-button menu-button"
            aria-label={isOpen ? "Close the menu" : "Open the menu"}
            aria-expanded={isOpen}
            aria-controls="nav"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? "close" : "menu"} size={20} />
          </button>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <LieBanner />
        <Outlet />
      </main>
      <Foot />
    </>
  );
}

/** The less used pages. */
function More() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isThere = morePages.some(([to]) => to === path);
  return (
    <details className="more-pages">
      <summary aria-current={isThere ? "page" : undefined}>More</summary>
      <div>
        {morePages.map(([to, name]) => (
          <Link key={to} to={to} activeProps={{ "aria-current": "page" }}>
            {name}
          </Link>
        ))}
        {besides.map(([to, name]) => (
          <a key={to} href={to}>
            {name}
          </a>
        ))}
      </div>
    </details>
  );
}

function ThemeButton() {
  const theme = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Use ${other} colors`}
      title={`Use ${other} colors`}
      onClick={() => chooseTheme(other)}
    >
      <Icon name={theme === "dark" ? "sun" : "moon"} size={18} />
    </button>
  );
}

const connections = {
  connecting: { tone: "wait", word: "Connecting" },
  live: { tone: "good", word: "Live" },
  lost: { tone: "bad", word: "Connection lost; trying again" },
} as const;

function Foot() {
  const { connection, blocks } = useChain();
  const { data } = useStatus();
  const { tone, word } = connections[connection];
  return (
    <footer className="foot">
      <div className="foot-row">
        <span className="live" role="status">
          <i className={`dot ${tone}`} />
          {word}
          {blocks[0] && <span className="number">at #{printWhole(blocks[0].number)}</span>}
        </span>
        {data && (
          <span>
            Network <Text of={data.networkId} />, shard <Text of={data.shardId} />
          </span>
        )}
        {data && <Text of={data.version.node} />}
        {besides.map(([to, name]) => (
          <a key={to} href={to}>
            {name}
          </a>
        ))}
      </div>
    </footer>
  );
}
