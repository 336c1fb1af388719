import type { Config } from './config.ts';
import { isLoopback } from './http/host-check.ts';

/** Whether others can reach the console: by the address it listens on, or through a proxy it is published at. */
export function isExposed({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  return !isLoopback(host) || !isLoopback(new URL(publicUrl).hostname);
}
