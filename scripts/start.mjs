import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { outputFormat } from '../apps/server/src/terminal/output-format.mjs';
import { createTerminal } from '../apps/server/src/terminal/terminal.mjs';
import { buildConsole } from './steps/build-console.mjs';
import { buildEdge, buildServer } from './steps/build-programs.mjs';
import { install } from './steps/install.mjs';
import { installKubernetesClient } from './steps/install-kubernetes-client.mjs';
import { installTools } from './steps/install-tools.mjs';
import { isNodeNewEnough, NODE } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript } from './steps/run-script.mjs';

/**
 * Size of libuv's thread pool: eight threads for hashing passwords (`auth/create-auth.ts`) and the default four for
 * files and DNS. It can be set here because nothing has used the pool yet.
 */
process.env.UV_THREADPOOL_SIZE ??= '12';

await runScript(async () => {
  const args = process.argv.slice(2);
  const isTerminal = process.stdout.isTTY === true;
  const { step, print, endLine } = createTerminal({
    format: outputFormat({ environment: process.env, isTerminal }),
    output: (text) => process.stdout.write(text),
  });
  process.once('exit', endLine);
  await install({ step });
  if (!isNodeNewEnough()) {
    process.exitCode = await runCommand([
      NODE,
      ...process.execArgv,
      join(ROOT, 'scripts', 'start.mjs'),
      ...args,
    ]);
    return;
  }
  const isHelp = args.includes('--help');
  if (!isHelp) {
    await installTools({ step, print });
    await installKubernetesClient({ step });
    await buildConsole({ step });
    await buildEdge({ step });
    await buildServer({ step });
    // Saves a tenth of the server's memory and of the time to start.
    module.enableCompileCache(join(ROOT, 'node_modules', '.cache', 'compiled'));
  }
  const program = isHelp ? 'src/main.ts' : 'dist/main.mjs';
  const { main } = await import(pathToFileURL(join(ROOT, 'apps/server', program)).href);
  await main(args);
});
