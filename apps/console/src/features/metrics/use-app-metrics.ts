import type { AppMetrics } from '@longshore/contract';
import { useCallback, useEffect, useState } from 'react';
import { useEnvironment } from '../../client/console-environment.tsx';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { errorMessage } from '../../lib/error-message.ts';
import {
  type MetricRange,
  startOf,
  stepOf,
  type TimeGrid,
  timeGrid,
} from './model/metric-range.ts';

/** The server has new numbers once a minute. */
export const REFRESH_MS = 30_000;

export type LoadedMetrics = { range: MetricRange; metrics: AppMetrics; grid: TimeGrid };

/** `problem`: the last attempt failed. What was loaded before stays. */
export type MetricsState = { loaded: LoadedMetrics | undefined; problem: string | undefined };

/** Loads the metrics of an app, and again every half a minute while the page is visible. */
export function useAppMetrics(appId: string, range: MetricRange): MetricsState {
  const { metrics } = useServices();
  const { now } = useEnvironment();
  const [state, setState] = useState<MetricsState>({ loaded: undefined, problem: undefined });

  const load = useCallback(
    async (signal: AbortSignal) => {
      const fail = (problem: string) => {
        if (!signal.aborted) setState(({ loaded }) => ({ loaded, problem }));
      };
      try {
        const grid = timeGrid(range, now());
        const query = { appId, step: stepOf(range), from: startOf(grid) };
        const result = await metrics.load(query, { signal });
        if (signal.aborted) return;
        if (!result.ok) return fail(errorText(result.error));
        setState({ loaded: { range, metrics: result.data, grid }, problem: undefined });
      } catch (error) {
        fail(errorMessage(error));
      }
    },
    [metrics, now, appId, range],
  );

  useEffect(() => {
    const controller = new AbortController();
    void load(controller.signal);
    const timer = setInterval(() => {
      if (!document.hidden) void load(controller.signal);
    }, REFRESH_MS);
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, [load]);

  return state;
}
