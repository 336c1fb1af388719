import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../log/logger.ts';
import type { Stoppers } from '../stoppers.ts';

/** What every part of the server is wired with. */
export type Wiring = Pick<Logger, 'log' | 'requests'> & {
  config: Config;
  clock: Clock;
  isRoot: boolean;
  version: string;
  /** What is to be stopped again, in reverse order. */
  started: Stoppers;
  print: (line: string) => void;
  logError: (error: unknown) => void;
  signal: AbortSignal;
};
