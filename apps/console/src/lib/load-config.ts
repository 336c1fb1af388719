import { withRetries } from '@longshore/client';
import type { ConsoleConfig } from '@longshore/contract';

export type LoadedConfig = {
  config: ConsoleConfig;
  /** How far the server's clock is ahead of the browser's. */
  aheadMs: number;
};

/** Loads `/config.json`, with the absolute URL of every service. */
export async function loadConfig(origin: string, signal: AbortSignal): Promise<LoadedConfig> {
  let sentAt = 0;
  const response = await withRetries(
    () => {
      sentAt = Date.now();
      return fetch('/config.json', { signal, cache: 'no-store' });
    },
    { isRetryable: () => !signal.aborted },
  );
  if (!response.ok) throw new Error(`/config.json failed with status ${response.status}`);
  const aheadMs = serverAheadMs(response.headers.get('date'), { sentAt, receivedAt: Date.now() });
  return { config: withAbsoluteUrls((await response.json()) as ConsoleConfig, origin), aheadMs };
}

export function withAbsoluteUrls(config: ConsoleConfig, origin: string): ConsoleConfig {
  const services = { ...config.services };
  for (const name of Object.keys(services) as (keyof typeof services)[]) {
    const path = services[name];
    if (path !== undefined) services[name] = new URL(path, origin).href.replace(/\/$/, '');
  }
  return { ...config, services };
}

/** The `Date` header has whole seconds and the response takes time: smaller differences are ignored. */
const CLOCK_TOLERANCE_MS = 2_500;

type RoundTrip = { sentAt: number; receivedAt: number };

/** Compares the `Date` header of a response with the browser's clock. */
export function serverAheadMs(
  dateHeader: string | null,
  { sentAt, receivedAt }: RoundTrip,
): number {
  const serverTime = Date.parse(dateHeader ?? '');
  if (Number.isNaN(serverTime)) return 0;
  const aheadMs = serverTime - (sentAt + receivedAt) / 2;
  return Math.abs(aheadMs) < CLOCK_TOLERANCE_MS ? 0 : aheadMs;
}
