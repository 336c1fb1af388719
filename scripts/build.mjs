import { buildConsole } from './steps/build-console.mjs';
import { install } from './steps/install.mjs';
import { runScript } from './steps/step-failed.mjs';

await runScript(async () => {
  await install();
  await buildConsole();
});
