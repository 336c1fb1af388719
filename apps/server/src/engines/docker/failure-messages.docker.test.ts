import { randomBytes } from 'node:crypto';
import { progressMessage } from '@longshore/contract';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DeployHarness,
  fromGit,
  fromImage,
  startDeployHarness,
} from '../../../test/deploy-harness.ts';
import { NPM_IMAGE, SHELL_IMAGE } from '../../../test/engines/docker/base-image.ts';
import {
  createDockerBench,
  type DockerBench,
  SERVE,
  SERVES,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { findProcessesByArgv } from '../../../test/engines/docker/find-processes.ts';
import { type Registry, startRegistry } from '../../../test/engines/docker/registry.ts';
import { nodeApp } from '../../../test/engines/process/engine-bench.ts';
import { mountSmallDisk, type SmallDisk } from '../../../test/small-disk.ts';
import type { Reason } from '../failure.ts';

const LIMITS = { listenTimeoutMs: 2_000, graceSeconds: 1, buildMs: 120_000 };

describe.skipIf(!canRunDocker)('the status message of an app reports', () => {
  let bench: DockerBench;
  let harness: DeployHarness;

  beforeAll(async () => {
    bench = await createDockerBench();
    harness = await startHarness(bench, { limits: LIMITS });
  });
  afterAll(async () => {
    await harness.stop();
    await bench.clear();
  });

  it.each<[Reason, string, string, RegExp]>([
    [
      'app-exited',
      'of an app that exits at once',
      'echo hit an iceberg; exit 7',
      /^Exit code 7\.$.*^hit an iceberg$/ms,
    ],
    ['crash-loop', 'of an app in a crash loop', 'exit 1', /^Crashed 3 times within a minute\.$/m],
    [
      'listens-elsewhere',
      'of an app that listens on another port',
      'httpd -f -p 8080',
      /^The app listens on port 8080, but port 3000 is configured$.*^Change the port to 8080, or make/ms,
    ],
    [
      'listens-on-loopback',
      'of an app that listens only on loopback',
      'httpd -f -p 127.0.0.1:3000',
      /^The app listens on 127\.0\.0\.1 port 3000$/m,
    ],
    [
      'port-never-answered',
      'of an app that does not listen',
      'sleep 1000',
      /^The app does not listen on any port$/m,
    ],
  ])('%s %s', async (reason, _, command, evidence) => {
    const appId = await deploy([`CMD ["sh", "-c", "${command}"]`]);
    expect((await harness.waitForFailure(appId, reason)).join('\n')).toMatch(evidence);
    harness.store.deleteApp(appId);
  });

  it('release-command-failed of a release command that fails', async () => {
    const url = await repository([SERVES]);
    const run = { releaseCommand: 'echo hit an iceberg; exit 7' };
    const appId = harness.deploy({ ...fromGit(url), run });
    const evidence = await harness.waitForFailure(appId, 'release-command-failed');
    expect(evidence).toEqual(['Exit code 7.', 'hit an iceberg']);
    harness.store.deleteApp(appId);
  });

  it('out-of-memory of an app over its memory limit', async () => {
    // On a busy machine, it takes long to use so much memory.
    await restartHarness({ limits: { ...LIMITS, listenTimeoutMs: 300_000 } });
    const dd = 'busybox dd if=/dev/zero of=/dev/null bs=900000000 count=1';
    const greedy = `CMD ["sh", "-c", "${dd} && exit 0"]`;
    const appId = harness.deploy(fromGit(await repository([greedy])));
    await harness.waitForFailure(appId, 'out-of-memory');
    await restartHarness({ limits: LIMITS });
  });

  it('app-killed of an app that is killed', async () => {
    await restartHarness({});
    const url = await repository(['CMD ["sleep", "5151"]']);
    const appId = harness.deploy({ ...fromGit(url), name: 'killed' });
    // Docker reports a process that is killed before its start has finished as a failed start.
    const { statusOf } = harness.store;
    await eventually(() => statusOf(appId).message === progressMessage('checking'));
    const [pid] = await findProcessesByArgv('sleep', '5151');
    process.kill(pid ?? 0, 'SIGKILL');
    expect(await harness.waitForFailure(appId, 'app-killed')).toContain('Killed by SIGKILL.');
    await restartHarness({ limits: LIMITS });
  });

  it.each<[string, string[]]>([
    ['that the image does not contain', ['CMD ["no-such-program"]']],
    ['that the image does not specify', []],
  ])('start-command-missing of a program %s', async (_, lines) => {
    const appId = await deploy(lines);
    await harness.waitForFailure(appId, 'start-command-missing');
  });

  it('build-out-of-memory of a build without a Dockerfile', async () => {
    const limits = { ...LIMITS, buildMemoryBytes: 96 * 1024 ** 2 };
    await restartHarness({ limits, nodeImage: NPM_IMAGE });
    const scripts = { start: 'node server.js', build: 'node build.js' };
    const files = {
      ...nodeApp(),
      'package.json': JSON.stringify({ scripts }),
      'build.js': 'const kept = []; for (;;) kept.push(Buffer.alloc(1e7, 1));',
    };
    const appId = harness.deploy(fromGit(await bench.repositories.repository(files)));
    await harness.waitForFailure(appId, 'build-out-of-memory');
    await restartHarness({ limits: LIMITS });
  });

  it('build-out-of-memory of a BuildKit step that the kernel kills', async () => {
    const appId = await deploy(['RUN --mount=type=cache,target=/cache sleep 6161']);
    const [pid] = await eventually(async () => {
      const found = await findProcessesByArgv('sleep', '6161');
      return found.length > 0 ? found : undefined;
    });
    process.kill(pid ?? 0, 'SIGKILL');
    await harness.waitForFailure(appId, 'build-out-of-memory');
  });

  it('root-directory-missing of a folder that the repository lacks', async () => {
    const url = await repository([SERVES]);
    const appId = harness.deploy({ ...fromGit(url), build: { rootDirectory: 'web' } });
    await harness.waitForFailure(appId, 'root-directory-missing');
  });

  it('build-timed-out of a build that hangs', async () => {
    await restartHarness({ limits: { ...LIMITS, buildMs: 10_000 } });
    const appId = await deploy(['RUN echo begun && sleep 7171']);
    expect(await harness.waitForFailure(appId, 'build-timed-out')).toContain('begun');
    await restartHarness({ limits: LIMITS });
  });

  it('build-failed of a build that fails, and nothing-to-build of a repository without an app', async () => {
    const failing = await deploy(['RUN echo no wood left && exit 3']);
    expect(await harness.waitForFailure(failing, 'build-failed')).toContain('no wood left');
    const nothing = harness.deploy(fromGit(await bench.repositories.repository({ 'a.txt': '' })));
    expect(await harness.waitForFailure(nothing, 'nothing-to-build')).toContain(
      'There is no Dockerfile',
    );
  });

  it('no-app-at-root of a repository with apps in folders', async () => {
    const files = { 'api/Dockerfile': 'FROM scratch', 'landing/index.html': '' };
    const appId = harness.deploy(fromGit(await bench.repositories.repository(files)));
    expect(await harness.waitForFailure(appId, 'no-app-at-root')).toEqual(['api: Dockerfile']);
  });

  it('output-missing of a build that writes no pages', async () => {
    await restartHarness({ limits: LIMITS, nodeImage: NPM_IMAGE });
    const scripts = { build: 'node build.js' };
    const files = { 'package.json': JSON.stringify({ scripts }), 'build.js': '' };
    const appId = harness.deploy(fromGit(await bench.repositories.repository(files)));
    expect(await harness.waitForFailure(appId, 'output-missing')).toEqual([
      expect.stringMatching(/^The build wrote no index\.html to dist, /),
      expect.stringContaining('enter the output directory'),
    ]);
    await restartHarness({ limits: LIMITS });
  });

  it('upload-missing of an app without an archive', async () => {
    await harness.waitForFailure(harness.deploy(fromGit('upload:')), 'upload-missing');
  });

  it('engine-down of every app while Docker is down, and recovers afterwards', async () => {
    const appId = await deploy([SERVES]);
    await harness.waitUntilSynced(appId);
    await bench.daemon.kill();
    await harness.waitForFailure(appId, 'engine-down');
    await bench.daemon.startAgain();
    await harness.waitUntilSynced(appId);
    harness.store.deleteApp(appId);
  });

  /** One reconciler at a time: it removes apps that its store does not contain. */
  async function restartHarness(changes: Parameters<DockerBench['engine']>[0]): Promise<void> {
    await harness.stop();
    await bench.closeEngines();
    harness = await startHarness(bench, changes);
  }

  async function deploy(lines: string[]): Promise<string> {
    return harness.deploy(fromGit(await repository(lines)));
  }

  async function repository(lines: string[]): Promise<string> {
    const Dockerfile = [`FROM ${SHELL_IMAGE}`, ...lines, ''].join('\n');
    return await bench.repositories.repository({ Dockerfile });
  }
});

describe.skipIf(!canRunDocker)('on a full disk the status message of an app reports', () => {
  let bench: DockerBench;
  let harness: DeployHarness;
  let registry: Registry;
  let disk: SmallDisk;

  beforeAll(async () => {
    registry = await startRegistry();
    bench = await createDockerBench({
      registry,
      async prepareData(folder) {
        // More than the space below which builds are refused.
        disk = await mountSmallDisk(folder, 1_800);
      },
    });
    harness = await startHarness(bench, { limits: LIMITS });
  });
  beforeEach(() => disk.makeRoom());
  afterAll(async () => {
    await harness.stop();
    await bench.clear();
    await disk.unmount().catch(() => {});
    await registry.stop();
  });

  it('disk-full of the image of the builder, and the app runs once space is free', async () => {
    await disk.fill(8_000_000);
    const Dockerfile = `FROM ${SHELL_IMAGE}\n${SERVES}\n`;
    const appId = harness.deploy(fromGit(await bench.repositories.repository({ Dockerfile })));
    await harness.waitForFailure(appId, 'disk-full');
    await disk.makeRoom();
    await harness.waitUntilSynced(appId);
    harness.store.deleteApp(appId);
  });

  it('disk-full of a build, and the app runs once space is free', async () => {
    const step = 'RUN busybox dd if=/dev/zero of=/ballast bs=1M count=20';
    const Dockerfile = [`FROM ${SHELL_IMAGE}`, step, SERVES, ''].join('\n');
    await disk.fill(8_000_000);
    const appId = harness.deploy(fromGit(await bench.repositories.repository({ Dockerfile })));
    await harness.waitForFailure(appId, 'disk-full');
    await disk.makeRoom();
    await harness.waitUntilSynced(appId);
    harness.store.deleteApp(appId);
  });

  it('disk-full of a pull, and the app runs once space is free', async () => {
    const files = { ballast: randomBytes(6_000_000) };
    await registry.publish({ name: 'team/heavy:1', files, settings: { Cmd: SERVE } });
    await disk.fill(2_000_000);
    const appId = harness.deploy(fromImage(`${registry.host}/team/heavy:1`));
    await harness.waitForFailure(appId, 'disk-full');
    await disk.makeRoom();
    await harness.waitUntilSynced(appId);
    harness.store.deleteApp(appId);
  });
});

async function startHarness(
  bench: DockerBench,
  changes: Parameters<DockerBench['engine']>[0],
): Promise<DeployHarness> {
  return await startDeployHarness(await bench.engine(changes), (logName) => {
    const start = `[${logName}]: `;
    const own = bench.lines.filter((line) => line.startsWith(start));
    return own.slice(-10).map((line) => line.slice(start.length));
  });
}
