import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(
  new URL('../../test/processes/print-descriptors.ts', import.meta.url),
);

it('starts a program without the descriptors that the server has inherited', async () => {
  const secret = openSync('/etc/hostname', 'r');
  onTestFinished(() => closeSync(secret));
  const server = spawn(process.execPath, [PROGRAM], {
    // Node itself keeps lower ones, without a gap between them, from its children.
    stdio: ['ignore', 'pipe', 'inherit', ...Array<'ignore'>(37).fill('ignore'), secret],
  });
  if (server.stdout === null) throw new Error('No output');
  const [printed] = await Promise.all([text(server.stdout), once(server, 'exit')]);
  expect(printed).toContain('40 /dev/null');
  expect(printed).not.toContain('/etc/hostname');
});
