import {
  APP_METRICS,
  type AppMetrics,
  decodeAppMetrics,
  type MetricStep,
} from '@longshore/contract';
import type { Graphql } from '../graphql/graphql.ts';
import type { RequestResult } from '../http/request-result.ts';

/** `step`: how many minutes each row is about. */
export type MetricsQuery = { appId: string; step: MetricStep; from: Date };

export type Metrics = {
  /** What an app used and served since a time. */
  load(query: MetricsQuery, options?: { signal?: AbortSignal }): Promise<RequestResult<AppMetrics>>;
};

export function createMetrics(graphql: Pick<Graphql, 'request'>): Metrics {
  return {
    async load({ appId, step, from }, options) {
      const variables = { appId, step, from: from.toISOString() };
      const result = await graphql.request<unknown>(APP_METRICS, variables, options);
      return result.ok ? { ok: true, data: decodeAppMetrics(result.data) } : result;
    },
  };
}
