import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { withoutBubblewrap } from '../support/hidden-tool.ts';
import { runLongshore } from '../support/longshore.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { isRoot } from '../support/unprivileged-user.ts';

const INSTALL = 'install -y --no-install-recommends';
const INSTALLED = ['update', `${INSTALL} --download-only bubblewrap`, `${INSTALL} bubblewrap`];
const NOT_ISOLATED =
  /Apps are not isolated\. Only operators may deploy\.\n +bwrap is missing: install the package bubblewrap\.\n/;

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

/** One start until it is ready, with an apt-get that runs this line. */
async function start(name: string, aptGet: string, env: Record<string, string> = {}) {
  const home = join(folder.path, name);
  await mkdir(home);
  const { command, aptCalls } = await withoutBubblewrap(home, aptGet);
  const ports = { port: await freePort(), ingressPort: await freePort() };
  const run = await runLongshore(
    {
      dataDir: join(home, 'data'),
      ...ports,
      command,
      env: { LONGSHORE_LOG_FORMAT: 'text', ...env },
    },
    { at: 'Press Ctrl-C', signal: 'SIGTERM' },
  );
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return { output: run.stdout, aptCalls: await aptCalls() };
}

describe.skipIf(!isRoot)('a start as root without bubblewrap', () => {
  it('installs it', async () => {
    const install = `case "$*" in *"recommends bubblewrap") umount /usr/bin/bwrap;; esac`;
    const { output, aptCalls } = await start('installed', install);
    expect(aptCalls).toEqual(INSTALLED);
    expect(output).toMatch(/^ {2}✓ Install bubblewrap +[\d.]+ m?s$/m);
    expect(output).toContain('Apps are isolated from each other and from this machine');
  });

  it('says why it cannot be installed, and starts without isolation', async () => {
    const { output } = await start('failed', `echo 'E: No network.'; exit 100`);
    expect(output).toMatch(/^ {2}✗ Install bubblewrap +[\d.]+ m?s$/m);
    expect(output).toContain(
      '\nbubblewrap could not be installed: No network. To isolate apps, run "apt-get install bubblewrap" and restart Longshore.\n',
    );
    expect(output).toMatch(NOT_ISOLATED);
  });

  it('installs nothing if that is turned off', async () => {
    const { output, aptCalls } = await start('off', 'exit 1', { LONGSHORE_INSTALL_TOOLS: 'false' });
    expect(aptCalls).toEqual([]);
    expect(output).not.toContain('Install bubblewrap');
    expect(output).toMatch(NOT_ISOLATED);
  });
});
