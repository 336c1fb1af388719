import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildEdge } from './steps/build-programs.mjs';
import { install } from './steps/install.mjs';
import { NODE, toolArgv } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runScript } from './steps/run-script.mjs';

const CONSOLE_URL = 'http://localhost:5173';

await runScript(async () => {
  await install({ development: true });
  await buildEdge();
  // Vite serves the pages, so links and the origin check must use its address.
  const { LONGSHORE_ALLOWED_ORIGINS: otherOrigins = '' } = process.env;
  const env = {
    LONGSHORE_PUBLIC_URL: CONSOLE_URL,
    LONGSHORE_LOG_LEVEL: 'info',
    ...process.env,
    LONGSHORE_ALLOWED_ORIGINS: `${CONSOLE_URL},${otherOrigins}`,
  };
  const server = [
    NODE,
    '--watch',
    '--watch-preserve-output',
    join('apps', 'server', 'src', 'main.ts'),
  ];
  const console_ = toolArgv('vite', '--strictPort', '--port', new URL(CONSOLE_URL).port);
  console.log(`Console with hot reload: ${CONSOLE_URL}`);
  await runTogether([
    start(server, ROOT, env),
    start(console_, join(ROOT, 'apps', 'console'), env),
  ]);
});

function start([program, ...args], cwd, env) {
  return spawn(program, args, { cwd, env, stdio: 'inherit' });
}

/** Ends all processes when one exits or this script gets a signal. */
async function runTogether(children) {
  const endAll = (signal = 'SIGTERM') => {
    for (const child of children) child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, endAll);
  await Promise.all(
    children.map((child) =>
      new Promise((resolve) => {
        child.once('error', resolve);
        child.once('exit', resolve);
      }).then(() => endAll()),
    ),
  );
}
