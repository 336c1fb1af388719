import { setTimeout as delay } from 'node:timers/promises';
import { isDataDirLocked } from '../../data-dir/lock-data-dir.ts';
import { freeOutput } from './free-output.ts';
import { limitOutputs } from './output-limiter.ts';

const CHECK_INTERVAL_MS = 5_000;

/** The output limiter. It exits when a server is back or no instance runs any more. */
const [, , dataDir = ''] = process.argv;
while (!(await isDataDirLocked(dataDir)) && (await limitOutputs({ dataDir, free: freeOutput }))) {
  await delay(CHECK_INTERVAL_MS);
}
