import { monotonicClock } from '@longshore/edge-contract';
import { readConfig } from './config.ts';
import { resolveDataDir } from './data-dir/resolve-data-dir.ts';
import { connectToEdge } from './edge/control-connection.ts';
import { killKeepers } from './edge/edge-processes.ts';
import { ensureEdge } from './edge/ensure-edge.ts';
import { prepareEdge } from './edge/open-edge.ts';
import { StartProblem } from './lifecycle/start-problem.ts';

await main();

/** Starts the edge, or replaces one of another version, and exits. For a service of the machine. */
async function main(): Promise<void> {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const { signal } = new AbortController();
  try {
    const config = readConfig(process.env, process.cwd());
    const isRoot = process.getuid?.() === 0;
    const dataDir = await resolveDataDir({ configuredDir: config.dataDir, isRoot, print });
    const edge = await prepareEdge({ config, dataDir, isRoot, signal });
    const { installed, target, listeners } = edge;
    const connection = await ensureEdge(
      {
        connect: (onMessage) => connectToEdge(target, onMessage),
        killHanging: () => killKeepers(target.folder),
        launch: () => edge.launch('inherited'),
        wanted: { ...installed, listeners },
        clock: monotonicClock,
      },
      (message) => {
        if (message.kind === 'report') print(message.text);
      },
      signal,
    );
    const { pid } = connection.welcome;
    connection.close();
    const ports = listeners.map(({ port }) => port).join(' and ');
    print(`The edge is running: process ${pid}, port ${ports}`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof StartProblem ? error.message : error}\n`);
  }
}
