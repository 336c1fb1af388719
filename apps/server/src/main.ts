import { flushCompileCache } from 'node:module';
import { createMemoryReducer, processMemory } from '@longshore/edge-contract';
import { readConfig } from './config.ts';
import { configHelp } from './config-variables.ts';
import { StartProblem } from './lifecycle/start-problem.ts';
import { type RunningServer, startServer } from './server.ts';
import { outputFormat } from './terminal/output-format.mjs';
import { type StartSummary, summaryMessages, summaryText } from './terminal/start-summary.ts';
import { createTerminal, type Terminal } from './terminal/terminal.mjs';

const MEMORY_CHECK_MS = 15_000;
const STOPPING = 'Longshore is stopping; apps keep serving.';

export async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(`${configHelp()}\n`);
    return;
  }
  // A closed terminal or pipe must not stop the server.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  const isTerminal = process.stdout.isTTY === true;
  const terminal = createTerminal({
    format: outputFormat({ environment: process.env, isTerminal }),
    output: (text) => process.stdout.write(text),
  });
  try {
    const stopping = stopSignal();
    const config = readConfig(process.env, process.cwd());
    const server = await startServer(config, { terminal, signal: stopping });
    printSummary(server.summary, terminal);
    // At its exit, Node would do this too, but the process may be killed.
    flushCompileCache();
    reduceMemory();
    await aborted(stopping);
    await stop(server, terminal);
  } catch (error) {
    if (isAbort(error)) return;
    process.stderr.write(`${startFailureText(error)}\n`);
    process.exitCode = 1;
  }
}

/** Ctrl-C in a terminal and npm's forwarding may both send a signal: only the first one counts. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stopping.abort());
  }
  return stopping.signal;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Frees the memory that only the start needed, and later what a load or thousands of apps needed for a moment: V8 would keep it. */
function reduceMemory(): void {
  processMemory.collectGarbage();
  const reducer = createMemoryReducer(processMemory);
  let before = performance.eventLoopUtilization();
  const check = () => {
    const now = performance.eventLoopUtilization();
    reducer.check(performance.eventLoopUtilization(now, before).utilization);
    before = now;
  };
  setInterval(check, MEMORY_CHECK_MS).unref();
}

/** One sentence for what an operator can fix; a stack trace for a bug. */
function startFailureText(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return error instanceof StartProblem ? error.message : error.stack;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function printSummary(summary: StartSummary, { format, print }: Terminal): void {
  if (format.kind === 'text') print(summaryText(summary, format.isColored));
  else for (const message of summaryMessages(summary)) print(message);
}

async function stop(server: RunningServer, { format, print, step }: Terminal): Promise<void> {
  // A terminal shows ^C at the start of the line.
  print(format.kind === 'text' ? '\n  Stopping. Apps keep serving.' : STOPPING);
  await step('Stop Longshore', server.stop);
}

// Of the sources, while developing.
if (import.meta.main) await main(process.argv.slice(2));
