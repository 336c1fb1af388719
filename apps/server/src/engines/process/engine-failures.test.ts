import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FALLBACK_FONTS } from '@longshore/contract';
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
    ['output-missing', /wrote no index\.html/, { 'package.json': scripts({ build: 'true' }) }],
    [
      'output-missing',
      /enter the output directory site-en or site-fr;/,
      {
        'package.json': scripts({
          build: 'mkdir site-en site-fr && touch site-en/index.html site-fr/index.html',
        }),
      },
    ],
    [
      'build-failed',
      /^npm run build failed with exit code 3$.*^about to fail$/ms,
      { 'package.json': scripts({ start: 'x', build: 'echo about to fail; exit 3' }) },
    ],
    [
      'build-failed',
      /^Error: no such module$/m,
      {
        'package.json': scripts({ start: 'x', build: 'node build.cjs' }),
        'build.cjs':
          "console.log('Error: no such module' + '\\n    at step (a.js:1:1)'.repeat(20)); process.exit(3)",
      },
    ],
    [
      'build-failed',
      /^npm install --legacy-peer-deps failed with exit code 4$/m,
      {
        'package.json': JSON.stringify({
          scripts: { start: 'x', preinstall: 'exit 4' },
          dependencies: { a: 'file:a' },
        }),
        'a/package.json': '{"name":"a","version":"1.0.0"}',
      },
    ],
    [
      'build-failed',
      /^npm install --legacy-peer-deps failed with exit code 4$.*^The build downloads from example\.com,/ms,
      {
        'package.json': JSON.stringify({
          scripts: { start: 'x', preinstall: 'node install.cjs' },
          dependencies: { a: 'file:a' },
        }),
        'install.cjs': `const { existsSync, writeFileSync } = require('node:fs');
          if (!existsSync('tried')) {
            console.log('Error: getaddrinfo ENOTFOUND example.com' + '\\nafter it'.repeat(60));
          }
          writeFileSync('tried', '');
          process.exit(4);`,
        'a/package.json': '{"name":"a","version":"1.0.0"}',
      },
    ],
  ])('fails with %s and the evidence %s', async (reason, evidence, files) => {
    const failure = await failureOf(bench.spec(await bench.repository(files)));
    expect(failure.reason).toBe(reason);
    expect(failure.evidence.join('\n')).toMatch(evidence);
  });

  it('fails with google-fonts-unreachable, unless the app asks for fallback fonts', async () => {
    const files = {
      'package.json': JSON.stringify({
        scripts: { start: 'x', build: 'node build.cjs' },
        dependencies: { next: 'file:next' },
      }),
      'next/package.json': '{"name":"next","version":"15.0.0"}',
      'build.cjs':
        "if (!require('fs').existsSync('.env.production.local')) throw 'Failed to fetch `Geist` from Google Fonts.'",
    };
    const url = await bench.repository(files);
    const { reason, evidence, fixes } = await failureOf(bench.spec(url));
    expect(reason).toBe('google-fonts-unreachable');
    expect(evidence).toContain('npm run build failed with exit code 1');
    expect(fixes).toEqual([{ kind: 'fallback-fonts' }]);
    const env = { [FALLBACK_FONTS.name]: FALLBACK_FONTS.value };
    const engine = await bench.engine();
    await engine.build(bench.spec(url, { env }), () => {}, signal);
  });

  it('names the install that a script replaced', async () => {
    const files = { 'requirements.txt': 'shop==1.0', 'main.py': '' };
    const url = await bench.repository(files);
    const { evidence } = await failureOf(bench.spec(url, { env: { PIP_NO_INDEX: '1' } }));
    const command = 'python3 -m pip install --requirement requirements.txt';
    expect(evidence[0]).toBe(`${command} failed with exit code 1`);
    expect(evidence.join('\n')).toContain('installing newer ones of the same major version');
  });

  it.each([
    ['an app in a folder', { 'web/index.html': '' }, ['web: index.html']],
    [
      'a workspace whose build writes no site',
      {
        'package.json': JSON.stringify({ workspaces: ['apps/*'], scripts: { build: 'true' } }),
        'apps/api/package.json': scripts({ start: 'node server.js' }),
        'apps/web/package.json': scripts({ start: 'node server.js' }),
        'apps/web/node_modules/x/package.json': scripts({ start: 'x' }),
      },
      [
        'apps/web: Node.js (package.json with a start script)',
        'apps/api: Node.js (package.json with a start script)',
      ],
    ],
  ])('fails with no-app-at-root and proposes %s', async (_, files, evidence) => {
    const failure = await failureOf(bench.spec(await bench.repository(files)));
    expect(failure.reason).toBe('no-app-at-root');
    expect(failure.evidence).toEqual(evidence);
    expect(failure.fixes).toEqual(
      evidence.map((line) => {
        const [folder, found] = line.split(': ');
        return { kind: 'root-directory', folder, evidence: found };
      }),
    );
  });

  it('names the programs of a module beside the folders of other apps', async () => {
    const program = 'package main\n';
    const files = {
      'go.mod': 'module example.com/shop\n',
      'basic/main.go': program,
      'cookie/main.go': program,
      'chat/go.mod': 'module example.com/chat\n',
      'chat/main.go': program,
    };
    const failure = await failureOf(bench.spec(await bench.repository(files)));
    expect(failure.evidence).toEqual([
      'go.mod has several programs: enter the start command of one of them, ./bin/basic or ./bin/cookie',
      'chat: Go (go.mod)',
    ]);
    expect(failure.fixes).toHaveLength(1);
  });

  it('names a Dockerfile beside the folders of other apps', async () => {
    const files = { Dockerfile: 'FROM python', 'web/index.html': '' };
    const failure = await failureOf(bench.spec(await bench.repository(files)));
    expect(failure.evidence).toEqual([
      'Found a Dockerfile, which needs Docker: start Longshore with LONGSHORE_ENGINE=docker to build it',
      'web: index.html',
    ]);
  });

  it('proposes the apps of a workspace whose build fails', async () => {
    const files = {
      'package.json': scripts({ start: 'x', build: 'exit 3' }),
      'turbo.json': '{}',
      'apps/web/package.json': scripts({ start: 'node server.js' }),
    };
    const failure = await failureOf(bench.spec(await bench.repository(files)));
    expect(failure).toMatchObject({ reason: 'build-failed', fixes: [{ folder: 'apps/web' }] });
  });

  it.each(['missing', 'file', 'web/index.html/more'])(
    'fails with root-directory-missing for %s',
    async (rootDirectory) => {
      const url = await bench.repository({ 'web/index.html': '', file: '' });
      const failure = await failureOf(bench.spec(url, { build: { rootDirectory } }));
      expect(failure.reason).toBe('root-directory-missing');
      expect(failure.evidence).toEqual([`The repository has no folder ${rootDirectory}`]);
      expect(failure.fixes).toMatchObject([{ kind: 'root-directory', folder: 'web' }]);
    },
  );

  it.each([
    ['of the repository', { build: 'true' }],
    ['that a step made', { build: 'rm -r ../web && ln -s /etc ../web' }],
  ])('does not follow a link %s out of the checkout', async (what, { build }) => {
    const files = { 'web/package.json': scripts({ build }), 'web/dist/index.html': '' };
    const url = await bench.repository(files);
    const folder = fileURLToPath(url);
    const isOfRepository = what === 'of the repository';
    if (isOfRepository) {
      await symlink('/etc', join(folder, 'link'));
      await bench.git(folder, 'add', '--all');
      await bench.git(folder, 'commit', '--quiet', '--message', 'A link');
    }
    const rootDirectory = isOfRepository ? 'link' : 'web';
    const failure = await failureOf(bench.spec(url, { build: { rootDirectory } }));
    expect(failure.reason).toBe('root-directory-missing');
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
    const failure = await failureOf(bench.spec(url, { origin }));
    expect(failure.reason).toBe('ref-not-found');
    expect(failure.evidence.join('\n')).toMatch(
      /\bnope\b.*^The branches of the repository: main$/ms,
    );
  });

  it('fails with ref-not-found for a repository without commits', async () => {
    const url = await bench.repository(nodeApp());
    const folder = fileURLToPath(url);
    await bench.git(folder, 'checkout', '--quiet', '--orphan', 'other');
    await bench.git(folder, 'branch', '--quiet', '-D', 'main');
    expect((await failureOf(bench.spec(url))).evidence.at(-1)).toBe(
      'The repository has no branches: push a commit to it',
    );
  });

  it.each([
    ['an app without an upload', 'upload:'],
    ['an archive that is gone', `upload:${'a'.repeat(64)}`],
  ])('fails with upload-missing for %s', async (_, url) => {
    expect((await failureOf(bench.spec(url))).reason).toBe('upload-missing');
  });

  it('fails with repository-damaged when the host lacks a part of the commit', async () => {
    const url = await bench.repository({ 'index.html': 'page' });
    const folder = fileURLToPath(url);
    const [blob = ''] = await bench.git(folder, 'rev-parse', 'HEAD:index.html');
    await rm(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    expect((await failureOf(bench.spec(url))).reason).toBe('repository-damaged');
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
