import { Hono } from 'hono';
import { Problem } from '../http/problem.ts';
import type { Secret } from '../secrets/secret.ts';
import type { AppTotals } from './app-totals.ts';
import {
  appFamilies,
  type NamedApp,
  type SystemMetrics,
  systemFamilies,
} from './metric-families.ts';
import { PROMETHEUS_TYPE, prometheusText } from './prometheus-text.ts';

export type MetricsServiceDeps = {
  token: Secret;
  listApps(): Promise<NamedApp[]>;
  totals: Pick<AppTotals, 'of' | 'keep'>;
  system(): SystemMetrics;
};

const BEARER = /^Bearer (.+)$/i;

/** `GET /` with the token of the operator: metrics of the installation and of all apps, for Prometheus. */
export function createMetricsService({
  token,
  listApps,
  totals,
  system,
}: MetricsServiceDeps): Hono {
  const service = new Hono();
  service.get('/', async (context) => {
    const [, given = ''] = BEARER.exec(context.req.header('authorization') ?? '') ?? [];
    if (!token.equals(given)) {
      throw new Problem(401, 'unauthorized', 'Missing or invalid metrics token', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    const apps = await listApps();
    totals.keep(new Set(apps.map(({ id }) => id)));
    const text = prometheusText([...systemFamilies(system()), ...appFamilies(apps, totals)]);
    return context.body(text, 200, {
      'content-type': PROMETHEUS_TYPE,
      'cache-control': 'no-store',
    });
  });
  return service;
}
