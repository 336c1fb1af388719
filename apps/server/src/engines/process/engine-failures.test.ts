import { rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import type { ReleaseSpec } from '../engine.ts';
import type { EngineFailure } from '../failure.ts';
import type { EngineLimits } from './deps.ts';

let bench: EngineBench;
const { signal } = new AbortController();

beforeAll(async () => {
  bench = await createEngineBench();
});
afterAll(() => bench.clear());

describe('a build', () => {
  it.each<[reason: string, evidence: RegExp, files: Record<string, string>]>([
    ['nothing-to-build', /no package\.json/, { 'README.md': 'Hi' }],
    ['nothing-to-build', /no start script/, { 'package.json': '{}' }],
    ['nothing-to-build', /wrote no index\.html/, { 'package.json': scripts({ build: 'true' }) }],
    [
      'build-failed',
      /^npm run build failed with exit code 3$.*^about to fail$/ms,
      { 'package.json': scripts({ start: 'x', build: 'echo about to fail; exit 3' }) },
    ],
    [
      'build-failed',
      /^npm ci failed with exit code 1$/m,
      {
        'package.json': JSON.stringify({ scripts: { start: 'x' }, dependencies: { a: 'file:a' } }),
        'package-lock.json': 'torn',
      },
    ],
  ])('fails with %s and the evidence %s', async (reason, evidence, files) => {
    const failure = await failureOf(bench.spec(await bench.repository(files)));
    expect(failure.reason).toBe(reason);
    expect(failure.evidence.join('\n')).toMatch(evidence);
  });

  it('fails with build-timed-out and stops the step', async () => {
    const build = 'node -e "setInterval(() => {}, 1000)"';
    const url = await bench.repository({ 'package.json': scripts({ start: 'x', build }) });
    const failure = await failureOf(bench.spec(url), { buildMs: 1_000 });
    expect(failure.reason).toBe('build-timed-out');
  });

  it('fails with image-unsupported and explains how to run images', async () => {
    const failure = await failureOf(
      bench.spec('', { origin: { kind: 'image', image: 'nginx:latest' } }),
    );
    expect(failure.reason).toBe('image-unsupported');
    expect(failure.evidence).toContain(
      'Start Longshore with LONGSHORE_ENGINE=docker to run images',
    );
  });
});

describe('a fetch', () => {
  it.each([
    ['repository-not-found', 'file:///nowhere/at/all'],
    ['source-not-allowed', 'ext::sh -c touch% /tmp/x'],
    ['source-not-allowed', '--upload-pack=touch'],
    ['repository-unreachable', 'http://127.0.0.1:9/repository.git'],
  ])('fails with %s for %s', async (reason, url) => {
    expect((await failureOf(bench.spec(url))).reason).toBe(reason);
  });

  it('fetches over ssh although the uid of the app has no account', async () => {
    const failure = await failureOf(bench.spec('ssh://git@127.0.0.1:9/repository.git'));
    expect(failure.reason).toBe('repository-unreachable');
    expect(failure.evidence.join('\n')).not.toMatch(/No user exists|known_hosts/);
  });

  it('fails with source-not-allowed for the data directory of the server', async () => {
    expect((await failureOf(bench.spec(`file://${bench.dataDir}/apps`))).reason).toBe(
      'source-not-allowed',
    );
  });

  it.each(['https://127.0.0.1/a.git', 'ssh://git@localhost/a.git', 'file:///tmp', 'http://a.b/c'])(
    'fails with source-not-allowed for %s unless the operator allows local sources',
    async (url) => {
      const engine = await bench.engine({ allowLocalSources: false });
      await expect(engine.build(bench.spec(url), () => {}, signal)).rejects.toMatchObject({
        reason: 'source-not-allowed',
      });
    },
  );

  it('fails with ref-not-found for a missing ref', async () => {
    const url = await bench.repository(nodeApp());
    const origin = { kind: 'git', url, ref: 'nope' } as const;
    expect((await failureOf(bench.spec(url, { origin }))).reason).toBe('ref-not-found');
  });

  it('fails with repository-too-large before it unpacks', async () => {
    const url = await bench.repository({ 'zeros.bin': '\0'.repeat(3_000_000) });
    const failure = await failureOf(bench.spec(url), { checkoutBytes: 2_000_000 });
    expect(failure.reason).toBe('repository-too-large');
  });

  it('accepts a branch, a tag and a commit', async () => {
    const url = await bench.repository(nodeApp());
    const folder = fileURLToPath(url);
    const [commit = ''] = await bench.git(folder, 'rev-parse', 'HEAD');
    await bench.git(folder, 'tag', 'v1');
    await bench.git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Second');
    await bench.git(folder, 'branch', 'feature/x');
    const engine = await bench.engine();
    for (const ref of ['v1', commit, 'feature/x']) {
      const spec = bench.spec(url, { origin: { kind: 'git', url, ref } });
      const { revision } = await engine.build(spec, () => {}, signal);
      expect(revision === commit).toBe(ref !== 'feature/x');
    }
  });

  it('uses the default branch when there is no main, and logs it', async () => {
    const spec = bench.spec(await bench.repository(nodeApp(), 'trunk'));
    const engine = await bench.engine();
    await engine.build(spec, () => {}, signal);
    expect(bench.lines.join('\n')).toContain('There is no branch named main');
  });

  it('reads a local repository that the user of the app can read', async () => {
    const url = await bench.repository(nodeApp());
    const open = `${bench.dataDir}-repository`;
    await rename(fileURLToPath(url), open);
    const engine = await bench.engine();
    await engine.build(bench.spec(`file://${open}`), () => {}, signal);
    await rename(open, fileURLToPath(url));
  });
});

describe('an instance', () => {
  it('that listens on another port fails with listens-elsewhere and names the port', async () => {
    const files = nodeApp();
    files['server.js'] = `const server = require('node:http').createServer();
      server.listen(0, '127.0.0.1', () => console.log('at', server.address().port));`;
    const spec = bench.spec(await bench.repository(files));
    const engine = await bench.engine({ limits: { listenTimeoutMs: 1_500, graceMs: 1_000 } });
    await engine.build(spec, () => {}, signal);
    const instance = await engine.startInstance(spec, signal);
    const failure = await engine
      .waitUntilListening(instance, spec, signal)
      .catch((error: unknown) => error);
    const { reason, evidence } = failure as EngineFailure;
    const port = evidence.at(-1)?.replace('at ', '');
    expect(reason).toBe('listens-elsewhere');
    expect(evidence[0]).toContain(String(instance.address.port));
    expect(evidence[1]).toBe(`The app listens on port ${port}, but port 3000 is configured`);
    expect(evidence[2]).toContain(`Change the port to ${port}`);
    await engine.stopInstance(spec.appId, instance, signal);
  });

  it('stops waiting on abort', async () => {
    const files = { ...nodeApp(), 'server.js': 'setInterval(() => {}, 1000)' };
    const spec = bench.spec(await bench.repository(files));
    const engine = await bench.engine();
    await engine.build(spec, () => {}, signal);
    const instance = await engine.startInstance(spec, signal);
    await expect(engine.waitUntilListening(instance, spec, AbortSignal.abort())).rejects.toThrow();
    await engine.stopInstance(spec.appId, instance, signal);
  });
});

async function failureOf(
  spec: ReleaseSpec,
  limits: Partial<EngineLimits> = {},
): Promise<EngineFailure> {
  const engine = await bench.engine({ limits });
  const failure = await engine
    .build(spec, () => {}, signal)
    .then(
      () => new Error('The build did not fail'),
      (error: unknown) => error,
    );
  expect((await engine.observe(spec.appId, signal)).built).toEqual([]);
  return failure as EngineFailure;
}

function scripts(all: Record<string, string>): string {
  return JSON.stringify({ scripts: all });
}
