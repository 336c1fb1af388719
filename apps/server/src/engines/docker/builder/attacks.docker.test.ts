import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SHELL_IMAGE } from '../../../../test/engines/docker/base-image.ts';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SERVES,
  SIGNAL,
} from '../../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../../test/engines/docker/docker-daemon.ts';
import { createOperator, type Operator } from '../../../../test/engines/docker/operator.ts';
import { PYTHON_IMAGE } from '../../../build/dockerfile.ts';
import { Secret } from '../../../secrets/secret.ts';
import type { ReleaseSpec } from '../../engine.ts';
import { EngineFailure } from '../../failure.ts';
import { noSourceCredentials } from '../../source-credentials.ts';
import type { DockerEngine } from '../engine.ts';
import { imageTag } from '../ownership.ts';

const ADA = randomUUID();
const MALLORY = randomUUID();
const GATEWAY = '10.213.0.1';
const PASSWORD = `registry-password-${randomUUID()}`;

/** What a build must not reach: every address of this machine, on a port that records who asks. */
describe.skipIf(!canRunDocker)('a hostile build', () => {
  let bench: DockerBench;
  let engine: DockerEngine;
  let operator: Operator;
  let ada: ReleaseSpec;
  let tag: string;
  /** A program on this machine, and what it was asked. */
  let host: Server;
  const asked: string[] = [];
  /** The public side of this machine, which builds reach. */
  let edge: Server;
  const askedEdge: string[] = [];
  const inside = () => `http://127.0.0.1:${portOf(host)}/`;

  beforeAll(async () => {
    bench = await createDockerBench();
    host = await listen('::', (request, response) => {
      asked.push(request.url ?? '');
      response.end('the machine');
    });
    edge = await listen('127.0.0.1', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://edge');
      const target = pathname.startsWith('/v2/redirect/') ? inside() : searchParams.get('to');
      askedEdge.push(pathname);
      if (pathname.startsWith('/v2/realm/')) {
        const challenge = `Bearer realm="${inside()}token",service="registry"`;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
      } else if (target === null) response.end('the edge\n');
      else response.writeHead(307, { location: target }).end();
    });
    engine = await bench.engine({
      registries: {
        ...bench.deps.registries,
        registry: { host: `${GATEWAY}:${portOf(edge)}`, path: '', isInsecure: true },
      },
      network: { ...bench.deps.network, edge: { host: '127.0.0.1', ports: [portOf(edge)] } },
      credentials: {
        ...noSourceCredentials,
        forBaseImages: async ({ ownerId }) => ({
          credentials: credentialsOf(ownerId),
          skipped: [],
        }),
      },
    });
    operator = createOperator(bench.daemon.api);
    ada = await specOf(ADA, [
      'RUN echo the secret of Ada > /secret',
      'RUN --mount=type=cache,id=shared,target=/cache echo the cache of Ada > /cache/file',
      SERVES,
    ]);
    await engine.build(ada, () => {}, SIGNAL);
    tag = imageTag({ installation: bench.deps.installation }, ada.appId, 1);
  });
  beforeEach(() => {
    asked.length = 0;
    bench.lines.length = 0;
  });
  afterAll(async () => {
    await bench.clear();
    host.close();
    edge.close();
  });

  it.each([
    ['its tag', (name: string) => `FROM ${name}`],
    ['a part of its id', (_: string, id: string) => `FROM ${id.slice(7, 19)}`],
    ['its id', (_: string, id: string) => `FROM ${id.slice(7)}`],
    ['its digest', (name: string, id: string) => `FROM ${name.split(':')[0]}@${id}`],
    ['COPY', (name: string) => `FROM ${SHELL_IMAGE}\nCOPY --from=${name} /secret /secret`],
    ['a mount', (name: string) => mounting(`type=bind,from=${name}`)],
    ['the source of a cache', (name: string) => mounting(`type=cache,id=shared,from=${name}`)],
  ])('does not get an image of others by %s', async (_, write) => {
    const id = (await operator.image(tag))?.Id ?? '';
    const spec = await specOf(MALLORY, ['RUN cat /secret /cache/secret'], write(tag, id));
    const { reason } = await failureOf(spec);
    expect(['image-not-found', 'build-failed']).toContain(reason);
    expect(bench.lines.join('\n')).not.toContain('the secret of Ada');
  });

  it('would get them from the engine itself', async () => {
    const id = (await operator.image(tag))?.Id ?? '';
    for (const image of [tag, id.slice(7, 19)]) {
      const container = await operator.run('control', { Image: image, Cmd: ['sleep', '60'] });
      const archive = await bench.daemon.api.follow('GET', `/containers/${container}/archive`, {
        query: { path: '/secret' },
        signal: SIGNAL,
      });
      let text = '';
      for await (const chunk of archive) text += chunk.toString('latin1');
      expect(text).toContain('the secret of Ada');
      await operator.removeContainer('control');
    }
  });

  it('shares the cache mounts of its owner only', async () => {
    const reading = ['RUN --mount=type=cache,id=shared,target=/cache cat /cache/file', SERVES];
    await engine.build(await specOf(ADA, reading), () => {}, SIGNAL);
    expect(printed()).toContain('the cache of Ada');
    bench.lines.length = 0;
    expect(await failureOf(await specOf(MALLORY, reading))).toMatchObject({
      reason: 'build-failed',
    });
    expect(printed()).not.toContain('the cache of Ada');
  });

  it('reaches no address of this machine, no metadata and no app, but the edge', async () => {
    const instance = await engine.startInstance(ada, SIGNAL);
    await engine.waitUntilListening(instance, ada, SIGNAL);
    const own = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
    const addresses = own.map(({ address, family, scopeid }) => {
      return family === 'IPv4' ? address : `[${address}${scopeid ? '%eth0' : ''}]`;
    });
    const urls = [
      ...['localhost', GATEWAY, ...addresses].map(
        (address) => `http://${address}:${portOf(host)}/`,
      ),
      'http://169.254.169.254/',
      ...(await addressesOfApp()).map((address) => `http://${address}:3000/`),
    ];
    const control = `http://${GATEWAY}:${portOf(edge)}/`;
    const script = [
      'import urllib.request',
      `for url in ${JSON.stringify([...urls, control])}:`,
      '  try: print("reached", url, urllib.request.urlopen(url, timeout=2).read())',
      '  except Exception as error: print("refused", url, error)',
    ];
    const lines = ['RUN python3 <<END', ...script, 'END', 'RUN exit 3'];
    await failureOf(await specOf(MALLORY, lines, `FROM ${PYTHON_IMAGE}`));
    const isReached = (line: string) => line.startsWith('reached');
    expect(printed().filter(isReached)).toEqual([`reached ${control} b'the edge\\n'`]);
    expect(printed().filter((line) => line.startsWith('refused'))).toHaveLength(urls.length);
    expect(asked).toEqual([]);
    for (const address of [GATEWAY, '127.0.0.1', '[::1]']) {
      const response = await fetch(`http://${address}:${portOf(host)}/`);
      expect(await response.text()).toBe('the machine');
    }
    await engine.stopInstance(ada.appId, instance, SIGNAL);
  });

  it('downloads from the edge, but does not follow it into this machine', async () => {
    const url = `http://${GATEWAY}:${portOf(edge)}/file`;
    await engine.build(await specOf(MALLORY, [`ADD ${url} /file`, SERVES]), () => {}, SIGNAL);
    const targets = ['127.0.0.1', 'localhost', GATEWAY].map(
      (address) => `http://${address}:${portOf(host)}/`,
    );
    for (const target of [...targets, ...targets.map((it) => `${url}?to=${it}`)]) {
      const spec = await specOf(MALLORY, [`ADD ${target} /file`]);
      expect(await failureOf(spec)).toMatchObject({ reason: 'build-failed' });
    }
    expect(asked).toEqual([]);
  });

  it.each([
    ['a base image', (name: string) => `FROM ${name}`],
    ['a frontend', (name: string) => `# syntax=${name}\nFROM ${SHELL_IMAGE}`],
  ])('does not look for %s on this machine', async (_, write) => {
    for (const address of ['localhost', '127.0.0.1', GATEWAY]) {
      const spec = await specOf(MALLORY, [], write(`${address}:${portOf(host)}/x:1`));
      const { reason } = await failureOf(spec);
      expect(['source-not-allowed', 'registry-unreachable', 'build-failed']).toContain(reason);
    }
    expect(asked).toEqual([]);
  });

  it.each(['realm', 'redirect'])(
    'does not follow a registry into this machine by a %s, nor does the engine',
    async (name) => {
      const image = `${GATEWAY}:${portOf(edge)}/${name}/x:1`;
      const spec = bench.repositories.spec('', {
        ownerId: MALLORY,
        origin: { kind: 'image', image },
      });
      const { reason } = await failureOf(spec);
      expect(['image-refused', 'registry-unreachable', 'source-not-allowed']).toContain(reason);
      expect(askedEdge).toContain(`/v2/${name}/x/manifests/1`);
      expect(asked).toEqual([]);
    },
  );

  it.each([
    ['RUN --security=insecure id', 'security.insecure is not allowed'],
    ['RUN --network=host id', 'network.host is not allowed'],
    ['RUN --mount=type=secret,id=DOCKER_AUTH_CONFIG,required=true id', 'not found'],
    ['RUN --mount=type=ssh,required=true id', 'no SSH key'],
  ])('is refused %s', async (step, problem) => {
    const { reason, evidence } = await failureOf(await specOf(MALLORY, [step]));
    expect(reason).toBe('build-failed');
    expect(evidence.join('\n')).toContain(problem);
  });

  it('is root without power: it sees no socket, no other program, and changes nothing of the kernel', async () => {
    const attempts = [
      'mount -t tmpfs none /tmp',
      'mount --bind / /tmp',
      'unshare -r true',
      'unshare -n true',
      'mknod /tmp/disk b 7 0',
      'nsenter -t 1 -n true',
      'ping -c 1 127.0.0.1',
      'sysctl -w kernel.hostname=mallory',
      'renice -n -10 1',
    ];
    const files = ['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger'];
    const spec = await specOf(MALLORY, [
      ...attempts.map(
        (command) => `RUN busybox ${command} 2>/dev/null && echo "did ${command}"; true`,
      ),
      ...files.map(
        (file) => `RUN (busybox printf -- -900 > ${file}) 2>/dev/null && echo "did ${file}"; true`,
      ),
      'RUN echo "sockets: $(busybox find / -type s 2>/dev/null | busybox wc -l)"',
      'RUN echo "programs: $(busybox ls /proc | busybox grep -c ^[0-9])"',
      'RUN (echo -900 > /proc/$$/oom_score_adj) 2>/dev/null; echo "protected: $(cat /proc/$$/oom_score_adj)"',
      'RUN id',
      SERVES,
    ]);
    await engine.build(spec, () => {}, SIGNAL);
    const lines = printed();
    expect(lines.filter((line) => line.startsWith('did '))).toEqual([]);
    expect(lines).not.toContain('protected: -900');
    expect(lines).toEqual(expect.arrayContaining(['sockets: 0', 'uid=0 gid=0 groups=0']));
    // The shell, and the programs of the pipeline.
    expect(Number(lines.find((line) => line.startsWith('programs:'))?.slice(10))).toBeLessThan(6);
  });

  it('does not find the passwords of its owner, which are in the builder only while it builds', async () => {
    // In two parts, so that the command itself is not found.
    const search = `${basicAuth().slice(0, 9)}""${basicAuth().slice(9)}`;
    const spec = await specOf(ADA, [
      `RUN sleep 3; busybox env; echo "found: $(busybox grep -ls "${search}" /proc/[0-9]*/environ | busybox wc -l)"`,
      `RUN echo "found in files: $(busybox grep -rls "${search}" /etc /run /tmp /dev/shm | busybox wc -l)"`,
      SERVES,
    ]);
    const building = engine.build(spec, () => {}, SIGNAL);
    await eventually(async () => (await environments()).includes(basicAuth()), 'the password');
    await building;
    expect(printed()).toEqual(expect.arrayContaining(['found: 0', 'found in files: 0']));
    expect(bench.lines.join('\n')).not.toMatch(new RegExp(`${PASSWORD}|${basicAuth()}`));
    const inspected = await operator.details(await operator.containers());
    const name = imageTag({ installation: bench.deps.installation }, spec.appId, 1);
    const visible = [
      ...inspected,
      await operator.image(name),
      await operator.inspect(`/images/${name}/history`),
    ];
    expect(JSON.stringify(visible)).not.toMatch(new RegExp(`${PASSWORD}|${basicAuth()}`));
    expect(await environments()).not.toContain(basicAuth());
  });

  it('gives its image no label by which servers find containers, no volume and no health check', async () => {
    const label = `LABEL dev.longshore.builder=${bench.deps.installation} dev.longshore.port=22 kept=yes`;
    const spec = await specOf(MALLORY, [
      label,
      'VOLUME /data',
      'HEALTHCHECK --interval=1ms CMD true',
      SERVES,
    ]);
    await engine.build(spec, () => {}, SIGNAL);
    const name = imageTag({ installation: bench.deps.installation }, spec.appId, 1);
    const { Config } = await operator.inspect<{ Config: Record<string, unknown> }>(
      `/images/${name}/json`,
    );
    expect(Config).toMatchObject({ Labels: { kept: 'yes' } });
    expect(Config.Labels).toEqual({ kept: 'yes' });
    expect(Config.Volumes ?? null).toBeNull();
    expect(Config.Healthcheck ?? null).toBeNull();
  });

  it('has links instead of files, which lead nowhere outside of it', async () => {
    const url = await bench.repositories.repository({ 'index.html': 'a site' });
    const folder = new URL(url).pathname;
    for (const name of ['.longshore', '.dockerignore', 'Dockerfile', 'two\nlines', 'public']) {
      await symlink('/etc/passwd', join(folder, name));
    }
    await bench.repositories.git(folder, 'add', '--all');
    await bench.repositories.git(folder, 'commit', '--quiet', '--message', 'Links');
    const spec = bench.repositories.spec(url, { ownerId: MALLORY });
    const { address } = await buildAndStart(engine, spec);
    const get = (path: string) => fetch(`http://${address.host}:${address.port}${path}`);
    expect(await (await get('/')).text()).toBe('a site');
    expect((await get('/public')).status).toBe(404);
    expect(bench.lines.join('\n')).not.toContain('root:');
    await engine.removeApp(spec.appId, SIGNAL);
  });

  async function specOf(
    ownerId: string,
    lines: string[],
    from = `FROM ${SHELL_IMAGE}`,
  ): Promise<ReleaseSpec> {
    const Dockerfile = [from, ...lines, ''].join('\n');
    return bench.repositories.spec(await bench.repositories.repository({ Dockerfile }), {
      ownerId,
    });
  }

  async function failureOf(spec: ReleaseSpec): Promise<EngineFailure> {
    const error = await engine
      .build(spec, () => {}, SIGNAL)
      .then(
        () => undefined,
        (problem: unknown) => problem,
      );
    expect(error).toBeInstanceOf(EngineFailure);
    expect((error as EngineFailure).reason).not.toBe('engine-failed');
    return error as EngineFailure;
  }

  function printed(): string[] {
    return bench.lines.map((line) => line.replace(/^\[\S+\]: /, ''));
  }

  async function addressesOfApp(): Promise<string[]> {
    const containers = await operator.containers();
    const app = containers.find(({ Names }) => Names.some((name) => name.includes(ada.appId)));
    const { NetworkSettings } = await operator.inspect<{
      NetworkSettings: { Networks: Record<string, { IPAddress: string }> };
    }>(`/containers/${app?.Id}/json`);
    return Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
  }
});

async function listen(host: string, answer: RequestListener): Promise<Server> {
  const server = createServer(answer).listen(0, host);
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function mounting(options: string): string {
  return `FROM ${SHELL_IMAGE}\nRUN --mount=${options},target=/cache cat /cache/secret`;
}

function credentialsOf(ownerId: string) {
  const credential = { name: 'Ada', host: 'registry.example', username: 'ada' };
  return ownerId === ADA ? [{ ...credential, password: new Secret(PASSWORD) }] : [];
}

function basicAuth(): string {
  return Buffer.from(`ada:${PASSWORD}`).toString('base64');
}

/** Of all programs of this machine. */
async function environments(): Promise<string> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const texts = pids.map((pid) => readFile(join('/proc', pid, 'environ'), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).join('\n');
}
