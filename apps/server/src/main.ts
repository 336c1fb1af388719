import { readConfig } from './config.ts';
import { configHelp } from './config-variables.ts';
import { startServer } from './server.ts';
import { StartProblem } from './start-problem.ts';

await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    print(configHelp());
    return;
  }
  // Whoever read what we print may be gone; that is no reason to end.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  try {
    const stopping = stopSignal();
    const config = readConfig(process.env, process.cwd());
    const server = await startServer(config, { print, signal: stopping });
    print(`Longshore is ready: ${config.publicUrl}`);
    // What starting took is not needed again, and V8 would keep it until much more is asked of it.
    globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
    await aborted(stopping);
    print('Longshore is stopping; apps keep running.');
    await server.stop();
  } catch (error) {
    if (stoppedEarly(error)) return;
    process.stderr.write(`${whyNot(error)}\n`);
    process.exitCode = 1;
  }
}

/** A terminal's Ctrl-C and npm's forwarding may both arrive: only the first counts. */
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

/** What an operator can mend is told in one sentence; the rest is a defect of ours and shows where. */
function whyNot(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return error instanceof StartProblem ? error.message : error.stack;
}

function stoppedEarly(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
