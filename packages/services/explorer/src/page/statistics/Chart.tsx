import { Card, Empty, QueryView } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { Plot, type PlotProps } from "./Plot.js";
import { hasValues, type Series, seriesCsv } from "./series.js";

interface ChartProps<T> extends Omit<PlotProps, "series"> {
  /** Default: the name. */
  readonly title?: string;
  readonly query: Parameters<typeof QueryView<T>>[0]["query"];
  readonly of: (data: T) => Series;
  /** Unit of the values in the file. */
  readonly unit?: string;
  /** Shown instead of a plot without values. */
  readonly none?: string;
  /** Shown below the plot. */
  readonly note?: ((data: T) => string | undefined) | undefined;
}

/** A card with the plot of one quantity, and its numbers as a file. */
export function Chart<T>({ title, query, of, unit, none, note, ...plot }: ChartProps<T>) {
  const { name, isTime = false } = plot;
  const series = query.data === undefined ? undefined : of(query.data);
  const head = [isTime ? "time" : "height", unit === undefined ? name : `${name}, ${unit}`] as const;
  const words = query.data === undefined ? undefined : note?.(query.data);
  return (
    <Card
      title={title ?? name}
      aside={
        series && (
          <Download
            name={`${name.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.csv`}
            what={name}
            make={async () => seriesCsv(head, series)}
          />
        )
      }
    >
      <QueryView query={{ ...query, data: series }}>
        {(values) =>
          none !== undefined && !hasValues(values) ? <Empty>{none}</Empty> : <Plot {...plot} series={values} />
        }
      </QueryView>
      {words !== undefined && <p className="plot-note">{words}</p>}
    </Card>
  );
}
