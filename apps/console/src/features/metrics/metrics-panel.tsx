import type { AppResource, Release, UsageRow } from '@longshore/contract';
import { useCallback, useMemo, useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { CARD_STYLE } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ChartLine, ChevronDown } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { LOADING, retrying } from '../../ui/texts.ts';
import { ChartCard } from './chart-card.tsx';
import { MESSAGES } from './messages.ts';
import { releaseMarkers } from './model/chart-layout.ts';
import { chartsOf } from './model/charts.ts';
import { METRIC_RANGES, type MetricRange } from './model/metric-range.ts';
import { axisTimeText, timeText } from './model/time-text.ts';
import { REFRESH_MS, useAppMetrics } from './use-app-metrics.ts';

type MetricsPanelProps = { app: AppResource; history: Release[] };

const ALL = '';
const MAX_INSTANCES = 20;

/** What the app uses and serves, as charts. */
export function MetricsPanel({ app, history }: MetricsPanelProps) {
  const { tiers, engine } = useConfig();
  const [range, setRange] = useState<MetricRange>('1h');
  const [chosen, setChosen] = useState(ALL);
  const [index, setIndex] = useState<number>();
  const { loaded, problem } = useAppMetrics(app.id, range);
  const size = tiers?.find(({ name }) => name === app.values.resourceTier);
  const instances = instancesOf(loaded?.metrics.usage ?? []);
  const instance = instances.includes(chosen) ? chosen : undefined;
  const createdAt = Date.parse(app.createdAt);
  const charts = useMemo(
    () => loaded && chartsOf({ ...loaded, size, instance, createdAt, engine }),
    [loaded, size, instance, createdAt, engine],
  );
  // Of what is shown, which may still be the range chosen before.
  const shownRange = loaded?.range ?? range;
  const textOf = useCallback((time: number) => timeText(time, shownRange), [shownRange]);
  const axisTextOf = useCallback((time: number) => axisTimeText(time, shownRange), [shownRange]);
  const isEmpty =
    loaded !== undefined &&
    loaded.metrics.usage.length === 0 &&
    loaded.metrics.traffic.length === 0;

  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented<MetricRange>
          label={MESSAGES.range}
          value={range}
          options={METRIC_RANGES.map((value) => ({ value, label: MESSAGES.ranges[value] }))}
          onChange={setRange}
        />
        {instances.length > 1 && (
          <InstanceSelect value={instance ?? ALL} instances={instances} onChange={setChosen} />
        )}
        <p className="text-[0.8125rem] text-faint sm:ml-auto">
          {MESSAGES.refreshes(REFRESH_MS / 1_000)}
        </p>
      </div>
      {problem !== undefined && (
        <Notice tone="bad">
          {loaded === undefined ? (
            <>
              <p className="font-medium">{MESSAGES.failed}</p>
              <p>{retrying(problem)}</p>
            </>
          ) : (
            <p>{MESSAGES.outdated(timeText(loaded.grid.now, '1h'), problem)}</p>
          )}
        </Notice>
      )}
      {charts === undefined && problem === undefined && <ChartsSkeleton />}
      {isEmpty && <NoMetrics isHibernated={app.values.instances === 0} />}
      {charts !== undefined && loaded !== undefined && !isEmpty && (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          {charts.map((chart) => (
            <ChartCard
              key={chart.key}
              chart={chart}
              times={loaded.grid.times}
              markers={releaseMarkers(history, loaded.grid.times)}
              rangeText={MESSAGES.rangeTexts[shownRange]}
              cursor={{ index, set: setIndex }}
              timeText={textOf}
              axisTimeText={axisTextOf}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function NoMetrics({ isHibernated }: { isHibernated: boolean }) {
  const { title, text } = isHibernated ? MESSAGES.hibernated : MESSAGES.empty;
  return (
    <EmptyState icon={<ChartLine size={20} aria-hidden="true" />} title={title}>
      {text}
    </EmptyState>
  );
}

type InstanceSelectProps = {
  value: string;
  instances: string[];
  onChange(instance: string): void;
};

function InstanceSelect({ value, instances, onChange }: InstanceSelectProps) {
  return (
    <div className="relative">
      <select
        aria-label={MESSAGES.instance}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 w-42 appearance-none truncate rounded-box border border-line-strong bg-surface pr-8 pl-3 text-[0.8125rem] text-text hover:border-faint pointer-coarse:h-10 pointer-coarse:text-base"
      >
        <option value={ALL}>{MESSAGES.allInstances}</option>
        {instances.map((each) => (
          <option key={each} value={each}>
            {MESSAGES.charts.instance(each)}
          </option>
        ))}
      </select>
      <ChevronDown
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-faint"
      />
    </div>
  );
}

/** Has the shape of the charts. */
function ChartsSkeleton() {
  return (
    <div role="status" className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <span className="sr-only">{LOADING}</span>
      {['cpu', 'memory', 'requests', 'errors', 'latency', 'network'].map((key) => (
        <div key={key} className={`${CARD_STYLE} h-61`} />
      ))}
    </div>
  );
}

/** The newest first. */
function instancesOf(usage: UsageRow[]): string[] {
  return [...new Set(usage.map(({ instance }) => instance).reverse())].slice(0, MAX_INSTANCES);
}
