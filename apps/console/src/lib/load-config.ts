import type { ConsoleConfig } from '@longshore/contract';

/** `/config.json`, with every service as a whole address. */
export async function loadConfig(origin: string, signal: AbortSignal): Promise<ConsoleConfig> {
  const response = await fetch('/config.json', { signal });
  if (!response.ok) throw new Error(`Configuration answered ${response.status}`);
  return withWholeAddresses((await response.json()) as ConsoleConfig, origin);
}

export function withWholeAddresses(config: ConsoleConfig, origin: string): ConsoleConfig {
  const services = { ...config.services };
  for (const name of Object.keys(services) as (keyof typeof services)[]) {
    services[name] = new URL(services[name], origin).href.replace(/\/$/, '');
  }
  return { ...config, services };
}
