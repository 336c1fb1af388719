import type { Config } from '../config.ts';
import { isLoopback } from './host-check.ts';

/** Whether other machines can reach the console: at the address it listens on, or at its public URL. */
export function isExposed({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  return !isLoopback(host) || !isLoopback(new URL(publicUrl).hostname);
}
