import type { UsageRow } from '@longshore/contract';
import type { TimeGrid } from './metric-range.ts';

/** A line of a chart: an instance, and those before it that it replaced. `instance`: the last one. */
export type Lane = { instance: string; rows: UsageRow[] };

/** How many steps two instances may overlap while one replaces the other. */
const OVERLAP_STEPS = 2;

/** As few lines as there were instances at the same time, so that an app that is often deployed has one line. */
export function instanceLanes(usage: UsageRow[], { stepMs }: Pick<TimeGrid, 'stepMs'>): Lane[] {
  const lanes: Lane[] = [];
  for (const rows of byInstance(usage)) {
    const [first] = rows;
    if (first === undefined) continue;
    const free = lanes.find(({ instance, rows: taken }) => {
      if (processOf(instance) !== processOf(first.instance)) return false;
      const end = taken.at(-1)?.at ?? 0;
      return end - (OVERLAP_STEPS - 1) * stepMs <= first.at;
    });
    if (free === undefined) {
      lanes.push({ instance: first.instance, rows });
    } else {
      // Where both have a row, the newer instance is shown.
      free.rows = [...free.rows.filter(({ at }) => at < first.at), ...rows];
      free.instance = first.instance;
    }
  }
  return lanes;
}

/** Such as `worker` of `worker.4`; empty for `web`. */
function processOf(instance: string): string {
  return instance.includes('.') ? instance.replace(/\.\d+$/, '') : '';
}

function numberOf(row: UsageRow | undefined): number {
  return Number(/\d+$/.exec(row?.instance ?? '')?.[0]);
}

/** In the order of their start. */
function byInstance(usage: UsageRow[]): UsageRow[][] {
  const instances = new Map<string, UsageRow[]>();
  for (const row of usage) {
    const rows = instances.get(row.instance) ?? [];
    instances.set(row.instance, rows);
    rows.push(row);
  }
  return [...instances.values()].sort(
    ([one], [other]) => (one?.at ?? 0) - (other?.at ?? 0) || numberOf(one) - numberOf(other),
  );
}
