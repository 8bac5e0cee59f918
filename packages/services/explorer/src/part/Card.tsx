import type { ReactNode } from "react";
import { reasonOf } from "../data/node.js";
import { useTitle } from "./useTitle.js";

interface CardProps {
  readonly title?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, aside, children }: CardProps) {
  return (
    <section className="card">
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {aside !== undefined && <div className="aside">{aside}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** A word and what it is, below each other. */
export function DescriptionList({ children }: { readonly children: ReactNode }) {
  return <dl className="facts card-body">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface PageHeadProps {
  readonly title: ReactNode;
  /** The browser's name of the page; default: the title. */
  readonly name?: string;
  readonly children?: ReactNode;
  readonly about?: ReactNode;
}

export function PageHead({ title, name, children, about }: PageHeadProps) {
  useTitle(name ?? (typeof title === "string" ? title : undefined));
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {children}
      {about !== undefined && <p>{about}</p>}
    </div>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

export function Notice({ tone = "plain", children }: { readonly tone?: string; readonly children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <div>{children}</div>
    </div>
  );
}

/** Placeholder lines for content that is loading. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="card-body stack" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <span key={index} className="skeleton" style={{ width: `${92 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

interface RequestedProps<T> {
  readonly query: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly children: (data: T) => ReactNode;
}

/** Shows the result of a query; until then that it is loading, or why it failed. */
export function QueryView<T>({ query: { data, error, refetch }, children }: RequestedProps<T>) {
  if (data !== undefined) return children(data);
  if (error === null || error === undefined) return <Loading />;
  return (
    <div className="card-body stack">
      <Notice tone="bad">{reasonOf(error)}</Notice>
      <div className="buttons">
        <button type="button" className="button small" onClick={() => void refetch()}>
          Retry
        </button>
      </div>
    </div>
  );
}
