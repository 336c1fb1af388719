import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importBaseImages } from '../../../test/engines/docker/base-image.ts';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import * as fixtures from '../../../test/engines/process/toolchain-fixtures.ts';
import type { Instance } from '../engine.ts';
import type { DockerEngine } from './engine.ts';

const SERVE = 'sh serve.sh';

describe.skipIf(!canRunDocker)('a generated Dockerfile', () => {
  let bench: DockerBench;
  let engine: DockerEngine;

  beforeAll(async () => {
    bench = await createDockerBench();
    await importBaseImages(bench.daemon.api);
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
    expect(bench.lines.join('\n')).toMatch(/pip","install".*\n[^\n]*---> Using cache/);
  });
});

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
