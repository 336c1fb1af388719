import { SERVICE_PATHS } from '@longshore/contract';
import type { Page } from 'playwright-core';

const MIB = 1024 ** 2;
const MINUTE_MS = 60_000;
/** In this part of the time the app was hibernated. */
const GAP = { from: 0.35, to: 0.45 };

type Query = { step: number; from: string };

/** Answers the queries for metrics with those of a busy app with two instances. */
export async function withMetrics(page: Page): Promise<void> {
  await answerMetrics(page, sampleMetrics);
}

export async function withoutMetrics(page: Page): Promise<void> {
  await answerMetrics(page, () => ({ usage: [], traffic: [] }));
}

async function answerMetrics(
  page: Page,
  metrics: (query: Query, now: number) => object,
): Promise<void> {
  await page.route(`**${SERVICE_PATHS.graphql[0]}`, async (route) => {
    const body = route.request().postDataJSON() as { query?: string; variables?: Query } | null;
    if (body?.query?.includes('query AppMetrics') !== true || body.variables === undefined) {
      await route.fallback();
      return;
    }
    await route.fulfill({ json: { data: metrics(body.variables, Date.now()) } });
  });
}

function sampleMetrics({ step, from }: Query, now: number) {
  const stepMs = step * MINUTE_MS;
  const first = Date.parse(from);
  const count = Math.floor((now - first) / stepMs) + 1;
  const times = Array.from({ length: count }, (_, index) => first + index * stepMs);
  const share = (at: number) => (at - first) / (now - first);
  return {
    usage: times
      .filter((at) => share(at) < GAP.from || share(at) > GAP.to)
      .flatMap((at) => [usageRow(at, stepMs, '7'), usageRow(at, stepMs, '8')]),
    traffic: times.map((at) => trafficRow(at, step)),
  };
}

/** Between 0 and 1, in waves of some hours and of some minutes. */
function wave(at: number, phase: number): number {
  const minutes = at / MINUTE_MS;
  const slow = Math.sin(minutes / 90 + phase);
  const fast = Math.sin(minutes / 3 + 5 * phase) + Math.sin(minutes / 1.7 + phase);
  return Math.min(1, Math.max(0, 0.5 + 0.3 * slow + 0.1 * fast));
}

function usageRow(at: number, stepMs: number, instance: string) {
  const phase = Number(instance);
  const load = wave(at, phase);
  return {
    at: new Date(at).toISOString(),
    instance,
    covered_ms: stepMs,
    cpu_ms: Math.round(0.05 * stepMs + 0.3 * stepMs * load),
    memory_bytes: Math.round((180 + 20 * phase - 100 + 60 * wave(at / 4, phase)) * MIB),
    received_bytes: Math.round(stepMs * 350 * load),
    sent_bytes: Math.round(stepMs * 1_700 * load),
    disk_bytes: 312 * MIB,
  };
}

function trafficRow(at: number, minutes: number) {
  const load = wave(at, 3);
  const requests = Math.round(minutes * (300 + 700 * load));
  const [clientErrors, serverErrors] = [Math.round(requests / 90), Math.round(requests / 700)];
  return {
    at: new Date(at).toISOString(),
    statuses: [0, requests - clientErrors - serverErrors, 0, clientErrors, serverErrors],
    latencies: [0.1, 0.3, 0.35, 0.15, 0.06, 0.03 * load, 0.01].map((share) =>
      Math.round(requests * share),
    ),
  };
}
