import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Measurement } from './measurement.ts';
import { createScope, type Scope } from './scope.ts';
import { table } from './table.ts';

/** Measures, stops everything, prints the table and writes it to the path of `--json`. */
export async function runBenchmark(
  name: string,
  measure: (scope: Scope) => Promise<Measurement[]>,
): Promise<void> {
  const { json } = parseArgs({ options: { json: { type: 'string' } } }).values;
  const scope = createScope();
  const interrupt = () => void scope.close().then(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  const load = loadavg();
  const measurements = await measure(scope).catch(async (error: unknown) => {
    // After an interruption the process exits here without reporting the failures this caused.
    await scope.close();
    throw error;
  });
  await scope.close();
  console.log(table(measurements));
  console.log(loadLine(load));
  if (json !== undefined) await writeFile(json, JSON.stringify({ name, load, measurements }));
}

/** Times are unreliable on a busy machine. */
function loadLine([lastMinute = 0]: readonly number[]): string {
  return `Load at the beginning: ${lastMinute.toFixed(1)} on ${availableParallelism()} processors`;
}
