import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole } from './steps/build-console.mjs';
import { install } from './steps/install.mjs';
import { keepCompiled } from './steps/keep-compiled.mjs';
import { isNodeNewEnough, NODE } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript } from './steps/step-failed.mjs';

/**
 * Node's threads: for up to eight passwords at once (`auth/create-auth.ts`), and as many for files and names as it
 * has by itself. Nothing has used them yet, so this still counts.
 */
process.env.UV_THREADPOOL_SIZE ??= '12';

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
