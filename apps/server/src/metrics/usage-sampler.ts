import type { Clock } from '@longshore/edge-contract';
import {
  intervalsBetween,
  MINUTE_MS,
  mergeMinutes,
  minutesOf,
  type UsageInterval,
  type UsageMinute,
  type UsageSample,
} from '../apps/usage-minutes.ts';
import type { UsageRows } from '../apps/usage-rows.ts';
import type { Engine } from '../engines/engine.ts';

type UsageSamplerDeps = {
  engine: Pick<Engine, 'usage'>;
  rows: Pick<UsageRows, 'add'>;
  /** What was used since the last sample, and what runs now. */
  onSample?(sample: UsageSample, intervals: UsageInterval[]): void;
  clock: Clock;
  logError(error: unknown): void;
};

const SAMPLE_MS = 15_000;
/** While nothing runs. */
const IDLE_MS = 60_000;
/** An engine that hangs must not delay the next sample for long. */
const TIMEOUT_MS = 10_000;
/** Kept while the database is away: an hour of 100 instances, and of more instances some minutes. */
const MAX_WAITING = 6_000;
const MAX_WAITING_MINUTES = 5;

/** Measures all instances several times a minute, and stores what they used once a minute, in one statement. */
export function startUsageSampler({ engine, rows, onSample, clock, logError }: UsageSamplerDeps): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let last: UsageSample | undefined;
  let waiting: UsageMinute[] = [];
  let hasFailed = false;
  let timer: unknown;
  let running = takeSample();
  return {
    async stop() {
      stopping.abort();
      clock.clearTimeout(timer);
      await running;
      // The rest of the current minute is added to this part of it by the next server.
      await store(waiting).catch(logError);
    },
  };

  async function takeSample(): Promise<void> {
    try {
      await measure();
      await storeWhole();
      hasFailed = false;
    } catch (error) {
      // One line for an engine or a database that is away for hours.
      if (!hasFailed && !stopping.signal.aborted) logError(error);
      hasFailed = true;
    }
    if (stopping.signal.aborted) return;
    const isIdle = last?.usages.length === 0 && waiting.length === 0;
    timer = clock.setTimeout(
      () => {
        running = takeSample();
      },
      isIdle ? IDLE_MS : SAMPLE_MS,
    );
  }

  async function measure(): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const usages = await engine.usage(signal);
    const sample = { at: clock.now(), usages };
    const intervals = last === undefined ? [] : intervalsBetween(last, sample);
    last = sample;
    const maxWaiting = Math.max(MAX_WAITING, MAX_WAITING_MINUTES * usages.length);
    waiting = mergeMinutes([...waiting, ...intervals.flatMap(minutesOf)]).slice(-maxWaiting);
    onSample?.(sample, intervals);
  }

  async function storeWhole(): Promise<void> {
    const current = Math.floor(clock.now() / MINUTE_MS);
    await store(waiting.filter(({ minute }) => minute < current));
  }

  async function store(minutes: UsageMinute[]): Promise<void> {
    if (minutes.length === 0) return;
    await rows.add(minutes);
    const stored = new Set(minutes);
    waiting = waiting.filter((minute) => !stored.has(minute));
  }
}
