import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { install } from './steps/install.mjs';
import { NODE, toolArgv } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runScript } from './steps/step-failed.mjs';

const CONSOLE_URL = 'http://localhost:5173';

await runScript(async () => {
  await install({ development: true });
  // Pages come from Vite, so links and the check of origins have to name its address.
  const env = { LONGSHORE_PUBLIC_URL: CONSOLE_URL, ...process.env };
  const server = [
    NODE,
    '--watch',
    '--watch-preserve-output',
    join('apps', 'server', 'src', 'main.ts'),
  ];
  const console_ = toolArgv('vite', '--strictPort', '--port', new URL(CONSOLE_URL).port);
  console.log(`The console with hot reload: ${CONSOLE_URL}`);
  await together([start(server, ROOT, env), start(console_, join(ROOT, 'apps', 'console'), env)]);
});

function start([program, ...args], cwd, env) {
  return spawn(program, args, { cwd, env, stdio: 'inherit' });
}

/** When one ends, or we are asked to, all end. */
async function together(children) {
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
