import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { hasOwnNetworks, inOwnNetwork } from './own-network.mjs';

const run = promisify(execFile);

it.runIf(process.getuid?.() === 0)(
  'has loopback addresses only, and keeps arguments as they are',
  async () => {
    expect(await hasOwnNetworks()).toBe(true);
    const script = `
      const names = Object.keys(require('node:os').networkInterfaces());
      process.stdout.write(JSON.stringify([names, process.argv.slice(1)]))`;
    const texts = ['two words', '$(id)', '"'];
    const argv = inOwnNetwork([process.execPath, '--eval', script, '--', ...texts]);
    const { stdout } = await run(argv[0] ?? '', argv.slice(1));
    expect(JSON.parse(stdout)).toEqual([['lo'], texts]);
  },
);
