import type { Values } from './model/charts.ts';
import { sparkPaths } from './model/spark-paths.ts';

type SparklineProps = { values: Values; maximum: number; label: string };

/** A small chart without numbers. Unknown times are gaps. */
export function Sparkline({ values, maximum, label }: SparklineProps) {
  return (
    <svg
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className="h-8 w-full overflow-visible"
    >
      {sparkPaths(values, maximum).map((path) => (
        <path
          key={path}
          d={path}
          fill="none"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
          strokeLinejoin="round"
          strokeLinecap="round"
          className="stroke-series-1"
        />
      ))}
    </svg>
  );
}
