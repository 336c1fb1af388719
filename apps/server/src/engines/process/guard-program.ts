import { setTimeout as delay } from 'node:timers/promises';
import { isHomeServed } from '../../home/lock-data-dir.ts';
import { freeOutput } from './free-output.ts';
import { guardOutputs } from './guard-outputs.ts';

const LOOK_AGAIN_MS = 5_000;

/**
 * A program of its own, which runs while no server does: instances go on then, and what they print must not fill the disk. It
 * ends when a server is back, or nothing runs any more.
 */
const [, , home = ''] = process.argv;
while (!(await isHomeServed(home)) && (await guardOutputs({ home, free: freeOutput }))) {
  await delay(LOOK_AGAIN_MS);
}
