import { constants } from 'node:os';
import type { ProcessExit } from '../processes/spawn-detached.ts';

const KILLED = 128;
const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** How a program exited, from the code that bubblewrap exits with: as in a shell, 128 and more stand for a signal. */
export function shellExit(code: number): ProcessExit {
  const signal = SIGNALS.get(code - KILLED);
  return signal === undefined ? { code, signal: undefined } : { code: undefined, signal };
}

/** How a program exited, from the status file that bubblewrap wrote; undefined when it wrote no exit code. */
export function parseExitStatus(text: string): ProcessExit | undefined {
  const code = /"exit-code": (\d+)/.exec(text)?.[1];
  return code === undefined ? undefined : shellExit(Number(code));
}
