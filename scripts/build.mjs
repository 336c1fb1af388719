import { buildConsole } from './steps/build-console.mjs';
import { buildEdge, buildServer } from './steps/build-programs.mjs';
import { install } from './steps/install.mjs';
import { runScript } from './steps/run-script.mjs';

await runScript(async () => {
  await install();
  await buildConsole();
  await buildEdge();
  await buildServer();
});
