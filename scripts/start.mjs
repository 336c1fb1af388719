import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole } from './steps/build-console.mjs';
import { install } from './steps/install.mjs';
import { keepCompiled } from './steps/keep-compiled.mjs';
import { isNodeNewEnough, NODE } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript } from './steps/step-failed.mjs';

await runScript(async () => {
  const args = process.argv.slice(2);
  await install();
  if (!isNodeNewEnough()) {
    process.exitCode = await runCommand([
      NODE,
      ...process.execArgv,
      join(ROOT, 'scripts', 'start.mjs'),
      ...args,
    ]);
    return;
  }
  if (!args.includes('--help')) await buildConsole();
  if (!args.includes('--help')) await keepCompiled();
  await import(pathToFileURL(join(ROOT, 'apps', 'server', 'src', 'main.ts')).href);
});
