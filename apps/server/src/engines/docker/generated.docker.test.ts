import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { nodeApp } from '../../../test/engines/process/engine-bench.ts';
import * as fixtures from '../../../test/engines/process/toolchain-fixtures.ts';
import type { Instance, ReleaseSpec } from '../engine.ts';
import type { DockerEngine } from './engine.ts';

const SERVE = 'sh serve.sh';

describe.skipIf(!canRunDocker)('a generated Dockerfile', () => {
  let bench: DockerBench;
  let engine: DockerEngine;

  beforeAll(async () => {
    bench = await createDockerBench();
    engine = await bench.engine();
  });
  beforeEach(() => {
    bench.lines.length = 0;
  });
  afterAll(() => bench.clear());

  it.each<[what: string, files: fixtures.Fixture, body: string]>([
    ['Python with its packages', fixtures.PYTHON, 'good day'],
    ['Python with a Procfile that uses $PORT', fixtures.PYTHON_PROCFILE, 'good day'],
    ['Go, as a user other than root', fixtures.GO, '1000\n'],
    [
      'only a Procfile',
      {
        Procfile: `web: SITE=/tmp ${SERVE} $PORT "good day"\n`,
        'serve.sh': 'echo "$2" > "$SITE/index.html"; exec httpd -f -p "$1" -h "$SITE"\n',
      },
      'good day\n',
    ],
  ])('builds and runs %s', async (_, files, body) => {
    const { repositories } = bench;
    const spec = repositories.spec(await repositories.repository(files));
    expect(await fetchText(await buildAndStart(engine, spec))).toBe(body);
  });

  it('caches the steps that depend only on the package list', async () => {
    const { repositories } = bench;
    const files = { ...fixtures.PYTHON, 'requirements.txt': '# none\n', 'main.py': SERVER };
    const url = await repositories.repository(files);
    const spec = repositories.spec(url);
    await engine.build(spec, () => {}, SIGNAL);
    const folder = fileURLToPath(url);
    await writeFile(join(folder, 'main.py'), SERVER.replace('first', 'second'));
    await repositories.git(folder, 'commit', '--quiet', '--all', '--message', 'Second');
    bench.lines.length = 0;
    const instance = await buildAndStart(engine, { ...spec, number: 2 });
    expect(await fetchText(instance)).toBe('second');
    expect(bench.lines.join('\n')).toMatch(/pip.*install.*\(cached\)$/m);
  });

  it('runs every step again, once, after the build cache was cleared', async () => {
    const { repositories } = bench;
    const files = { ...nodeApp('Number(require("node:fs").readFileSync("at.txt", "utf8"))') };
    const build = { buildCommand: WRITE_TIME };
    const spec = repositories.spec(await repositories.repository(files), { build });
    const timeOf = async (change: Partial<ReleaseSpec>) => {
      const release = { ...spec, ...change };
      const instance = await buildAndStart(engine, release);
      const text = await fetchText(instance);
      await engine.stopInstance(release.appId, instance, SIGNAL);
      return Number(text);
    };
    const first = await timeOf({});
    expect(await timeOf({ number: 2 })).toBe(first);
    bench.lines.length = 0;
    const cleared = await timeOf({ number: 3, cacheClears: 1 });
    expect(cleared).toBeGreaterThan(first);
    expect(bench.lines.join('\n')).toContain('The build cache was cleared');
    expect(bench.lines.join('\n')).not.toMatch(/\(cached\)$/m);
    expect(await timeOf({ number: 4, cacheClears: 1 })).toBe(cleared);
  });
});

const WRITE_TIME = `node -e 'fs.writeFileSync("at.txt", String(Date.now()))'`;

const SERVER = `import os
from http.server import BaseHTTPRequestHandler, HTTPServer

class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"first")

HTTPServer((os.environ["HOST"], int(os.environ["PORT"])), Server).serve_forever()
`;

async function fetchText({ address }: Instance): Promise<string> {
  return await (await fetch(`http://${address.host}:${address.port}/`)).text();
}
