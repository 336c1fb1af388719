import type { SystemMetrics } from './metric-families.ts';

const MICROSECONDS = 1e6;

/** What this process has used and uses. */
export function processUsage(): Pick<SystemMetrics, 'cpuSeconds' | 'residentBytes'> {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: (user + system) / MICROSECONDS,
    residentBytes: process.memoryUsage.rss(),
  };
}
