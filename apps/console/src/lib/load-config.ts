import type { ConsoleConfig } from '@longshore/contract';
import { serverAheadMs } from './server-clock.ts';

type Start = { config: ConsoleConfig; aheadMs: number };

/** `/config.json`, with every service as a whole address; and how far the server's clock is ahead. */
export async function loadConfig(origin: string, signal: AbortSignal): Promise<Start> {
  const sentAt = Date.now();
  const response = await fetch('/config.json', { signal, cache: 'no-store' });
  if (!response.ok) throw new Error(`Configuration answered ${response.status}`);
  const aheadMs = serverAheadMs(response.headers.get('date'), { sentAt, receivedAt: Date.now() });
  return { config: withWholeAddresses((await response.json()) as ConsoleConfig, origin), aheadMs };
}

export function withWholeAddresses(config: ConsoleConfig, origin: string): ConsoleConfig {
  const services = { ...config.services };
  for (const name of Object.keys(services) as (keyof typeof services)[]) {
    const path = services[name];
    if (path !== undefined) services[name] = new URL(path, origin).href.replace(/\/$/, '');
  }
  return { ...config, services };
}
