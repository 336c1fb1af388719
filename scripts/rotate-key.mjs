import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from './steps/install.mjs';
import { isNodeNewEnough, NODE } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript } from './steps/run-script.mjs';

/** Replaces the key that encrypts the secrets in the database. */
await runScript(async () => {
  await install();
  if (isNodeNewEnough()) {
    await import(pathToFileURL(join(ROOT, 'apps', 'server', 'src', 'rotate-key.ts')).href);
    return;
  }
  process.exitCode = await runCommand([NODE, join(ROOT, 'scripts', 'rotate-key.mjs')]);
});
