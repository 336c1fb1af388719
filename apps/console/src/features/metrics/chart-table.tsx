import { MESSAGES } from './messages.ts';
import { tableIndexes, valueText } from './model/chart-layout.ts';
import type { Chart } from './model/charts.ts';

type ChartTableProps = { chart: Chart; times: number[]; timeText(time: number): string };

const TEXTS = MESSAGES.chart;
const CELL = 'px-4 py-1.5 text-right tabular-nums';

/** The same numbers for those who cannot see or use the chart. */
export function ChartTable({ chart, times, timeText }: ChartTableProps) {
  return (
    <details className="-mt-6.5 pb-2 pointer-coarse:-mt-8">
      <summary className="ml-auto flex min-h-8 w-max cursor-pointer list-none items-center px-4 text-xs text-muted underline decoration-line-strong underline-offset-4 hover:text-text pointer-coarse:min-h-10">
        <span className="sr-only">{TEXTS.showTable(chart.title)}</span>
        {TEXTS.table}
      </summary>
      {/* biome-ignore lint/a11y/useSemanticElements: a scrollable part of a card */}
      <div
        role="region"
        aria-label={TEXTS.tableOf(chart.title)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must be able to scroll it
        tabIndex={0}
        className="mt-1 max-h-72 overflow-auto border-t border-line"
      >
        <table className="w-full text-[0.8125rem]">
          <thead>
            <tr className="text-left text-muted">
              <th scope="col" className="px-4 py-1.5 font-medium">
                {TEXTS.time}
              </th>
              {chart.series.map(({ name }) => (
                <th key={name} scope="col" className={`${CELL} font-medium`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tableIndexes(times.length).map((index) => (
              <tr key={times[index]} className="border-t border-line">
                <td className="px-4 py-1.5 whitespace-nowrap tabular-nums">
                  {timeText(times[index] ?? 0)}
                </td>
                {chart.series.map(({ name, values }) => (
                  <td key={name} className={CELL}>
                    {valueText(values, index, chart.unit, TEXTS.unknown)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
