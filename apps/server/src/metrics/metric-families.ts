import { LATENCY_BOUNDS_MS } from '@longshore/edge-contract';
import type { AppTotal, AppTotals } from './app-totals.ts';
import { type Family, labelText, type Sample } from './prometheus-text.ts';

export type NamedApp = { id: string; name: string; projectId: string };

export type SystemMetrics = {
  version: string;
  engine: string;
  startedAt: Date;
  isEdgeConnected: boolean;
  builds: { running: number; waiting: number };
  reconciling: number;
  cpuSeconds: number;
  residentBytes: number;
};

/** What the server tells about itself. */
export function systemFamilies(system: SystemMetrics): Family[] {
  const { version, engine, builds } = system;
  return [
    gauge('longshore_info', 'The version of Longshore and the engine that runs apps.', [
      { labels: labelText({ version, engine }), value: 1 },
    ]),
    gauge('longshore_edge_connected', 'Whether the server is connected to the edge.', [
      { value: system.isEdgeConnected ? 1 : 0 },
    ]),
    gauge('longshore_builds', 'Builds that run or wait for a slot.', [
      { labels: labelText({ state: 'running' }), value: builds.running },
      { labels: labelText({ state: 'waiting' }), value: builds.waiting },
    ]),
    gauge('longshore_reconciling_apps', 'Apps that are reconciled now or wait for it.', [
      { value: system.reconciling },
    ]),
    counter('process_cpu_seconds_total', 'CPU time of the server.', [{ value: system.cpuSeconds }]),
    gauge('process_resident_memory_bytes', 'Memory of the server.', [
      { value: system.residentBytes },
    ]),
    gauge('process_start_time_seconds', 'When the server started.', [
      { value: system.startedAt.getTime() / 1_000 },
    ]),
  ];
}

/** What apps use and serve. Counters begin at zero when the server starts. */
export function appFamilies(apps: NamedApp[], totals: Pick<AppTotals, 'of'>): Family[] {
  const known = apps.flatMap(({ id }) => {
    const total = totals.of(id);
    return total === undefined ? [] : [{ labels: labelText({ app_id: id }), total }];
  });
  const samplesOf = (read: (total: AppTotal) => number | undefined) =>
    known.flatMap(({ labels, total }): Sample[] => {
      const value = read(total);
      return value === undefined ? [] : [{ labels, value }];
    });
  return [
    gauge(
      'longshore_app_info',
      'The name and the project of an app.',
      apps.map(({ id, name, projectId }) => ({
        labels: labelText({ app_id: id, name, project_id: projectId }),
        value: 1,
      })),
    ),
    gauge(
      'longshore_app_instances',
      'Running instances.',
      samplesOf((it) => it.instances),
    ),
    counter(
      'longshore_app_cpu_seconds_total',
      'CPU time of all instances.',
      samplesOf((it) => it.cpuSeconds),
    ),
    gauge(
      'longshore_app_memory_bytes',
      'Memory of all instances, without cached files.',
      samplesOf((it) => it.memoryBytes),
    ),
    gauge(
      'longshore_app_disk_bytes',
      'Used disk space.',
      samplesOf((it) => it.diskBytes),
    ),
    counter(
      'longshore_app_network_received_bytes_total',
      'What all instances received.',
      samplesOf((it) => it.receivedBytes),
    ),
    counter(
      'longshore_app_network_sent_bytes_total',
      'What all instances sent.',
      samplesOf((it) => it.sentBytes),
    ),
    counter(
      'longshore_app_requests_total',
      'Requests by the class of their status.',
      known.flatMap(({ labels, total }) =>
        total.statuses.map((value, index) => ({
          labels: `${labels},${CLASSES[index]}`,
          value,
        })),
      ),
    ),
    {
      name: 'longshore_app_request_duration_seconds',
      help: 'Durations of requests, without websockets.',
      type: 'histogram',
      samples: known.flatMap(({ labels, total }) => histogram(labels, total)),
    },
  ];
}

const CLASSES = [1, 2, 3, 4, 5].map((digit) => labelText({ class: `${digit}xx` }));
/** The upper bounds of the buckets, in seconds. */
const BOUNDS = [...LATENCY_BOUNDS_MS.map((bound) => String(bound / 1_000)), '+Inf'].map((le) =>
  labelText({ le }),
);

/** Each bucket includes those before it. */
function histogram(
  labels: string,
  { latencies, durationMs }: Pick<AppTotal, 'latencies' | 'durationMs'>,
): Sample[] {
  let requests = 0;
  const buckets = latencies.map((count, index) => {
    requests += count;
    return { suffix: '_bucket', labels: `${labels},${BOUNDS[index]}`, value: requests };
  });
  return [
    ...buckets,
    { suffix: '_sum', labels, value: durationMs / 1_000 },
    { suffix: '_count', labels, value: requests },
  ];
}

function gauge(name: string, help: string, samples: Sample[]): Family {
  return { name, help, type: 'gauge', samples };
}

function counter(name: string, help: string, samples: Sample[]): Family {
  return { name, help, type: 'counter', samples };
}
