import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type DeployHarness,
  fromGit,
  fromImage,
  startDeployHarness,
} from '../../../test/deploy-harness.ts';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import { canMount, mountSmallDisk } from '../../../test/small-disk.ts';
import type { Reason } from '../failure.ts';

type Files = Record<string, string>;

let bench: EngineBench;
let harness: DeployHarness;

beforeAll(async () => {
  bench = await createEngineBench();
  harness = await startDeployHarness(await bench.engine({ limits: LIMITS }), lastLines);
});
afterAll(async () => {
  await harness.stop();
  await bench.clear();
});

const LIMITS = { listenTimeoutMs: 2_000, graceMs: 1_000, buildMs: 20_000 };
const HANGS = 'setInterval(() => {}, 1000);';

describe('the status message of an app reports', () => {
  it.each<[Reason, string, Files, RegExp]>([
    [
      'app-exited',
      'of an app that exits at once',
      app(`console.error('hit an iceberg'); process.exit(7);`),
      /^Exit code 7\.$.*^hit an iceberg$/ms,
    ],
    [
      'app-killed',
      'of an app that is killed',
      app(`process.kill(process.pid, 'SIGKILL');`),
      /^Killed by SIGKILL\.$/m,
    ],
    [
      'crash-loop',
      'of an app in a crash loop',
      app('process.exit(1);'),
      /^Crashed 3 times within a minute\.$/m,
    ],
    [
      'start-command-missing',
      'of a missing program',
      nodeApp('""', 'no-such-program --serve'),
      /^Exit code 127\.$/m,
    ],
    [
      'listens-elsewhere',
      'of an app that listens on another port',
      app(`require('node:net').createServer().listen(0);`),
      /^The app listens on port \d+, but port \d+ is configured$/m,
    ],
    [
      'port-never-answered',
      'of an app that does not listen',
      app(HANGS),
      /^The app does not listen on any port$/m,
    ],
  ])('%s %s', async (reason, _, files, evidence) => {
    const appId = harness.deploy(fromGit(await bench.repository(files)));
    expect((await harness.waitForFailure(appId, reason)).join('\n')).toMatch(evidence);
    harness.store.deleteApp(appId);
  });

  it('release-command-failed of a release command that fails', async () => {
    const url = await bench.repository(nodeApp());
    const run = { releaseCommand: 'echo hit an iceberg; exit 7' };
    const appId = harness.deploy({ ...fromGit(url), run });
    const evidence = await harness.waitForFailure(appId, 'release-command-failed');
    expect(evidence).toEqual(['Exit code 7.', 'hit an iceberg']);
    harness.store.editApp(appId, { run: { releaseCommand: 'echo afloat' } });
    await harness.waitUntilSynced(appId);
    expect(harness.store.releasesOf(appId).at(-1)).toMatchObject({
      from: 1,
      commandDone: 'echo afloat',
    });
    harness.store.deleteApp(appId);
  });

  it.each<[Reason, number]>([
    ['repository-refused', 401],
    ['repository-refused', 403],
    ['repository-not-found', 404],
    ['repository-unreachable', 502],
  ])('%s when the host responds with status %i', async (reason, status) => {
    const host = createServer((_, response) => {
      response.writeHead(status, { 'www-authenticate': 'Basic realm="git"' }).end();
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const address = host.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const appId = harness.deploy(fromGit(`http://127.0.0.1:${port}/a/b.git`));
    await harness.waitForFailure(appId, reason);
    harness.store.deleteApp(appId);
    host.closeAllConnections();
    host.close();
  });

  it('image-unsupported, also in the build log', async () => {
    const appId = harness.deploy(fromImage('nginx:latest'));
    await harness.waitForFailure(appId, 'image-unsupported');
    const lines = bench.lines.filter((line) => line.includes('-build-1]:')).slice(-3);
    expect(lines[0]).toContain('Release 1: pulling nginx:latest');
    expect(lines[2]).toContain(
      'Container images need Docker, but this server runs apps without it. Deploy',
    );
  });
});

describe.skipIf(!canMount)('on a full disk', () => {
  it.each<[string, Files]>([
    ['while it is fetched', { ...app(HANGS), 'large.txt': incompressibleText(4_000_000) }],
    [
      'while it is built',
      {
        'package.json': JSON.stringify({ scripts: { start: 'x', build: 'node build.js' } }),
        'build.js': `require('node:fs').writeFileSync('large', Buffer.alloc(8_000_000));`,
      },
    ],
  ])('the status message reports disk-full %s', async (_, files) => {
    const dataDir = `${bench.dataDir}-small`;
    const disk = await mountSmallDisk(dataDir, 4);
    onTestFinished(disk.unmount);
    const small = await bench.engine({ dataDir, limits: LIMITS });
    const other = await startDeployHarness(small, lastLines);
    const appId = other.deploy(fromGit(await bench.repository(files)));
    await other.waitForFailure(appId, 'disk-full');
    expect(bench.lines.join('\n')).toContain('The disk of the machine is full.');
    await other.stop();
    await small.close();
  });
});

function lastLines(logName: string): string[] {
  const start = `[${logName}]: `;
  const own = bench.lines.filter((line) => line.startsWith(start));
  return own.slice(-10).map((line) => line.slice(start.length));
}

function app(server: string): Files {
  return { ...nodeApp(), 'server.js': server };
}

/** Text that compresses badly. */
function incompressibleText(length: number): string {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state % 36).toString(36);
  };
  return Array.from({ length }, next).join('');
}
