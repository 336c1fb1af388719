import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const NODE = join(ROOT, 'node_modules/.bin/node');

/** What `npm start` runs, flags included: `exec node <flags> scripts/start.mjs`. */
export async function startCommand(): Promise<{ flags: string[]; script: string }> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(' ').filter((word) => word !== 'exec');
  const [program, ...args] = words;
  const script = args.pop();
  if (program !== 'node' || script === undefined) {
    throw new Error(`The start script has an unexpected form: ${scripts.start}`);
  }
  return { flags: args, script: join(ROOT, script) };
}
