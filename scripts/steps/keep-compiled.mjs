import { access } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { NODE } from './programs.mjs';
import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';

const FOLDER = join(ROOT, 'node_modules', '.cache', 'compiled');
const COMPILE = join(ROOT, 'scripts', 'compile-server.mjs');

/**
 * Keeps the server's compiled code on disk, which saves a fifth of its memory and half of its start. Compiling itself
 * takes memory that is never given back, so the first time it is done by a process that ends.
 */
export async function keepCompiled() {
  const isKept = await access(FOLDER).then(
    () => true,
    () => false,
  );
  if (!isKept) await runCommand([NODE, ...process.execArgv, COMPILE, FOLDER]);
  nodeModule.enableCompileCache(FOLDER);
}
