import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NODE_AND_NPM_IMAGE } from '../../../test/engines/docker/base-image.ts';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { nodeApp } from '../../../test/engines/process/engine-bench.ts';
import { type NpmRegistry, startNpmRegistry } from '../../../test/npm-registry.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';
import type { DockerEngine } from './engine.ts';

/** Three environments of Python take minutes on a busy machine. */
const SLOW_MS = 15 * 60_000;
/** Where builders reach the edge. */
const GATEWAY = '10.213.0.1';
/** Says which one it is, and runs the Node of the image. */
const OTHER_NODE = '#!/bin/sh\nNODE_OF_PROJECT=22.11.0 exec /usr/local/bin/node "$@"\n';
const FACTS = '[process.env.NODE_OF_PROJECT ?? process.version.split(".")[0]]';

describe.skipIf(!canRunDocker)('the version that a project asks for', () => {
  let bench: DockerBench;
  let engine: DockerEngine;
  let registry: NpmRegistry;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longshore-packages-'));
    registry = await startNpmRegistry([await nodePackage(folder)]);
    bench = await createDockerBench();
    engine = await bench.engine({
      nodeImage: NODE_AND_NPM_IMAGE,
      limits: { ...bench.deps.limits, buildMs: SLOW_MS },
      network: { ...bench.deps.network, edge: { host: '127.0.0.1', ports: [registry.port] } },
    });
  });
  beforeEach(() => {
    bench.lines.length = 0;
  });
  afterAll(async () => {
    await bench.clear();
    await registry.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['of the image, if it fits', '>=24', 'v24'],
    ['of npm, if it does not', '^22.0.0', '22.11.0'],
  ])('is the Node %s', async (_, range, expected) => {
    const spec = await nodeSpec({ engines: { node: range } });
    expect(await textOf(await buildAndStart(engine, spec))).toBe(JSON.stringify([expected]));
    await engine.removeApp(spec.appId, SIGNAL);
  });

  it('is named if there is no such Node', async () => {
    const spec = await nodeSpec({ engines: { node: '^18.0.0' } });
    await expect(engine.build(spec, () => {}, SIGNAL)).rejects.toMatchObject({
      reason: 'build-failed',
    });
    expect(bench.lines.join('\n')).toMatch(/node-linux-\w+@\^18\.0\.0/);
  });

  it('is the Python of the image, if no other one can be downloaded', {
    timeout: SLOW_MS,
  }, async () => {
    const files = {
      'requirements.txt': '# none\n',
      '.python-version': '3.9\n',
      'main.py': PYTHON_SERVER,
    };
    const spec = bench.repositories.spec(await bench.repositories.repository(files), {
      // Nothing is there, and nothing is waited for.
      env: { PIP_INDEX_URL: `http://${GATEWAY}:${registry.port}/`, PIP_RETRIES: '0' },
    });
    expect(await textOf(await buildAndStart(engine, spec))).toBe('/app/.venv');
    const log = bench.lines.join('\n');
    expect(log).toContain('Python 3.9 is installed, because 3.13.0 does not fit');
    expect(log).toContain('uv==0.8.0');
    expect(log).toContain(`'python3' '-m' 'venv' '.longshore/python'`);
    await engine.removeApp(spec.appId, SIGNAL);
  });

  async function nodeSpec(manifest: object): Promise<ReleaseSpec> {
    const files = nodeApp(FACTS);
    const text = JSON.stringify({ ...JSON.parse(files['package.json'] ?? ''), ...manifest });
    return bench.repositories.spec(
      await bench.repositories.repository({ ...files, 'package.json': text }),
      { env: { npm_config_registry: `http://${GATEWAY}:${registry.port}/` } },
    );
  }
});

async function nodePackage(folder: string): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const target = join(folder, name);
  await mkdir(join(target, 'bin'), { recursive: true });
  const manifest = { name, version: '22.11.0', bin: { node: 'bin/node' } };
  await writeFile(join(target, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(target, 'bin/node'), OTHER_NODE, { mode: 0o755 });
  return target;
}

const PYTHON_SERVER = `import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(sys.prefix.encode())

HTTPServer((os.environ["HOST"], int(os.environ["PORT"])), Server).serve_forever()
`;

async function textOf({ address }: Instance): Promise<string> {
  return await (await fetch(`http://${address.host}:${address.port}/`)).text();
}
