import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildEdge } from './steps/build-programs.mjs';
import { install } from './steps/install.mjs';
import { isNodeNewEnough, NODE } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript } from './steps/run-script.mjs';

/** Starts the edge without the server, for a service of the machine. */
await runScript(async () => {
  await install();
  if (isNodeNewEnough()) {
    await buildEdge();
    await import(pathToFileURL(join(ROOT, 'apps', 'server', 'src', 'run-edge.ts')).href);
    return;
  }
  const script = join(ROOT, 'scripts', 'edge.mjs');
  process.exitCode = await runCommand([NODE, script, ...process.argv.slice(2)]);
});
