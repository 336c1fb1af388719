import { LATENCY_BOUNDS_MS as CONSOLE_BOUNDS_MS } from '@longshore/contract';
import { LATENCY_BOUNDS_MS } from '@longshore/edge-contract';
import { describe, expect, it } from 'vitest';
import { Problem } from '../http/problem.ts';
import { Secret } from '../secrets/secret.ts';
import { createAppTotals } from './app-totals.ts';
import { prometheusText } from './prometheus-text.ts';
import { createMetricsService } from './service.ts';

const TOKEN = 'a long token of the operator';
const NAME = 'shop "north" \\ and\nsouth';

function createService() {
  const totals = createAppTotals();
  totals.addUsage({ at: 0, usages: [{ appId: 'a', instanceId: '1', memoryBytes: 5 }] }, []);
  const counts = {
    latencies: [4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    durationMs: 12_500,
    bytesIn: 0,
    bytesOut: 0,
  };
  totals.addRequests([{ appId: 'a', minute: 0, statuses: [0, 6, 0, 0, 1], ...counts }]);
  totals.addRequests([{ appId: 'deleted', minute: 0, statuses: [0, 6, 0, 0, 1], ...counts }]);
  const service = createMetricsService({
    token: new Secret(TOKEN),
    listApps: async () => [
      { id: 'a', name: NAME, projectId: 'p' },
      { id: 'idle', name: 'idle', projectId: 'p' },
    ],
    totals,
    system: () => ({
      version: '1.2.3',
      engine: 'process',
      startedAt: new Date(5_000),
      isEdgeConnected: true,
      builds: { running: 1, waiting: 2 },
      reconciling: 3,
      cpuSeconds: 4.5,
      residentBytes: 6e7,
    }),
  });
  // As the server does.
  service.onError((error, context) =>
    error instanceof Problem
      ? context.json({}, error.status, error.headers)
      : context.text('', 500),
  );
  return { service, totals };
}

const request = (authorization?: string) =>
  createService().service.request(
    '/',
    authorization === undefined ? {} : { headers: { authorization } },
  );

describe('without the token', () => {
  it.each([undefined, '', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, TOKEN, `Bearer ${TOKEN}x`])(
    'refuses %j',
    async (authorization) => {
      const response = await request(authorization);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await response.text()).not.toContain('longshore_');
    },
  );
});

describe('with the token', () => {
  it('is text in the format of Prometheus', async () => {
    const response = await request(`Bearer ${TOKEN}`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const families = parse(await response.text());
    expect(families.get('longshore_app_info')?.samples[0]).toEqual({
      name: 'longshore_app_info',
      labels: { app_id: 'a', name: NAME, project_id: 'p' },
      value: 1,
    });
    expect(families.get('longshore_builds')?.samples.map(({ value }) => value)).toEqual([1, 2]);
    expect(families.get('longshore_app_memory_bytes')?.samples).toMatchObject([
      { labels: { app_id: 'a' }, value: 5 },
    ]);
    expect(families.get('process_resident_memory_bytes')?.samples[0]?.value).toBe(6e7);
    // Nothing is known of it.
    expect(families.has('longshore_app_cpu_seconds_total')).toBe(false);
  });

  it('has cumulative buckets', async () => {
    const families = parse(await (await request(`Bearer ${TOKEN}`)).text());
    const samples = families.get('longshore_app_request_duration_seconds')?.samples ?? [];
    const buckets = samples.filter(({ name }) => name.endsWith('_bucket'));
    expect(buckets.map(({ value }) => value)).toEqual([4, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7]);
    expect(buckets[0]?.labels.le).toBe('0.005');
    expect(buckets.at(-1)?.labels.le).toBe('+Inf');
    expect(samples.slice(-2)).toMatchObject([
      { name: 'longshore_app_request_duration_seconds_sum', value: 12.5 },
      { name: 'longshore_app_request_duration_seconds_count', value: 7 },
    ]);
  });

  it('has nothing of apps that do not exist, and forgets them', async () => {
    const { service, totals } = createService();
    const response = await service.request('/', { headers: { authorization: `bearer ${TOKEN}` } });
    expect(await response.text()).not.toContain('deleted');
    expect(totals.of('deleted')).toBeUndefined();
  });
});

it('leaves out families without samples, and writes every number', () => {
  const numbers = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21];
  const samples = numbers.map((value) => ({ value }));
  const text = prometheusText([
    { name: 'none', help: 'x', type: 'gauge', samples: [] },
    { name: 'all', help: 'two\nlines', type: 'gauge', samples },
  ]);
  expect(text).toBe(
    '# HELP all two\\nlines\n# TYPE all gauge\nall NaN\nall +Inf\nall -Inf\nall 1e+21\n',
  );
});

it('has the same buckets as the console', () => {
  expect(CONSOLE_BOUNDS_MS).toEqual(LATENCY_BOUNDS_MS);
});

type Parsed = {
  type: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
};

const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/gy;

/** A strict parser of the text format: throws for everything that the format does not allow. */
function parse(text: string): Map<string, Parsed> {
  expect(text.endsWith('\n')).toBe(true);
  const families = new Map<string, Parsed>();
  const seen = new Set<string>();
  for (const line of text.slice(0, -1).split('\n')) {
    const [, type, kind] =
      /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (type !== undefined) {
      if (families.has(type)) throw new Error(`${type} is declared twice`);
      families.set(type, { type: kind ?? '', samples: [] });
      continue;
    }
    if (/^# HELP [a-zA-Z_:][a-zA-Z0-9_:]* [^\n]+$/.test(line)) continue;
    const [, name = '', labels = '', value] =
      /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?\d[\d.e+-]*)$/.exec(line) ?? [];
    if (value === undefined || seen.has(name + labels)) throw new Error(`Wrong line: ${line}`);
    seen.add(name + labels);
    const family = [...families].at(-1);
    const base = name.replace(/_(?:bucket|count|sum)$/, '');
    if (family === undefined || (family[0] !== name && family[0] !== base)) {
      throw new Error(`${name} is not below its type`);
    }
    family[1].samples.push({
      name,
      labels: parseLabels(labels),
      value: Number(value.replace('Inf', 'Infinity')),
    });
  }
  return families;
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let parsed = 0;
  for (const [whole, name = '', value = ''] of text.matchAll(LABEL)) {
    labels[name] = value.replace(/\\(.)/g, (_, character) =>
      character === 'n' ? '\n' : character,
    );
    parsed += whole.length;
  }
  if (parsed !== text.length) throw new Error(`Wrong labels: ${text}`);
  return labels;
}
