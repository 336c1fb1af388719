import { readConfig } from './config.ts';
import { configHelp } from './config-variables.ts';
import { StartProblem } from './lifecycle/start-problem.ts';
import { startServer } from './server.ts';

await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    print(configHelp());
    return;
  }
  // A closed terminal or pipe must not stop the server.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  try {
    const stopping = stopSignal();
    const config = readConfig(process.env, process.cwd());
    const server = await startServer(config, { print, signal: stopping });
    print(`Longshore is ready: ${config.publicUrl}`);
    // Frees the memory that only the start needed; V8 would keep it.
    globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
    await aborted(stopping);
    print('Longshore is stopping; apps keep running.');
    await server.stop();
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

/** One sentence for what an operator can fix; a stack trace for a bug. */
function startFailureText(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return error instanceof StartProblem ? error.message : error.stack;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
