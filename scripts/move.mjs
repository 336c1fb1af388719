import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from './steps/install.mjs';
import { isNodeNewEnough, NODE } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript } from './steps/run-script.mjs';

/** Copies this installation to the shared state of other servers. */
await runScript(async () => {
  await install();
  if (isNodeNewEnough()) {
    await import(pathToFileURL(join(ROOT, 'apps', 'server', 'src', 'move.ts')).href);
    return;
  }
  const script = join(ROOT, 'scripts', 'move.mjs');
  process.exitCode = await runCommand([NODE, script, ...process.argv.slice(2)]);
});
