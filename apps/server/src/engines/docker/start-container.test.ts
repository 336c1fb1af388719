import { Readable } from 'node:stream';
import { autoDomain } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { VARIABLES_LABEL } from '../../build/dockerfile.ts';
import { containerEnvironment } from './container-config.ts';
import type { Network } from './firewall.ts';
import type { Image } from './images.ts';
import { LABELS } from './ownership.ts';
import { hasSecondEntry, publicHosts, startOptions } from './start-container.ts';

const COMMAND = ['serve', `\${HOST}:\${PORT}`, '$(id)', ''];
const GENERATED = { [VARIABLES_LABEL]: 'true' };

const PORTS = [
  { number: 3000, expose: false },
  { number: 80, expose: true },
];

it.each([
  ['the main port of the app', { ports: PORTS, env: {} }, ['serve', '0.0.0.0:80', '$(id)', '']],
  [
    "the user's HOST, but not the user's PORT",
    { ports: PORTS, env: { PORT: '3000', HOST: '`id`' } },
    ['serve', '`id`:80', '$(id)', ''],
  ],
  ['an empty text for a missing port', { ports: [], env: {} }, ['serve', '0.0.0.0:', '$(id)', '']],
])('fills in %s', (_, spec, argv) => {
  const found = image({ Labels: GENERATED, Cmd: COMMAND });
  expect(startOptions(spec, found)).toEqual({ Cmd: argv });
});

it.each([
  ['that was not generated', image({ Labels: null, Cmd: COMMAND })],
  ['without a command', image({ Labels: GENERATED, Cmd: null })],
  ['that does not exist', undefined],
])('does not change the command of an image %s', (_, found) => {
  expect(startOptions({ ports: PORTS, env: {} }, found)).toBeUndefined();
});

it('replaces entry point and command of any image by a typed command', () => {
  const spec = { ports: PORTS, env: {}, run: { command: 'A=1 serve $PORT' } };
  const found = image({ Labels: GENERATED, Cmd: COMMAND });
  expect(startOptions(spec, found)).toEqual({ Entrypoint: ['serve', '80'] });
  expect(containerEnvironment(spec)).toEqual({ A: '1', HOST: '0.0.0.0', PORT: '80' });
});

function image(Config: NonNullable<Image['Config']>): Image {
  return { Id: '1', RepoTags: [], RepoDigests: [], Architecture: 'amd64', Created: '', Config };
}

describe('public host names inside a container', () => {
  const network = {
    Id: '0123456789abcdef',
    IPAM: { Config: [{ Subnet: 'fd12::/64' }, { Subnet: '172.18.0.0/16', Gateway: '172.18.0.1' }] },
  } as Network;
  const app = { appId: 'a1', name: 'shop', projectId: 'p1' };
  const container = (id: string, name: string, project: string) => ({
    Id: id,
    State: 'running',
    HostConfig: { NetworkMode: 'project' },
    NetworkSettings: { Networks: {} },
    Labels: { [LABELS.app]: id, [LABELS.name]: name, [LABELS.project]: project },
  });
  const containers = [
    container('a1', 'shop', 'p1'),
    container('b2', 'blog', 'p1'),
    container('b2', 'blog', 'p1'),
    container('c3', 'other', 'p2'),
  ];

  it('lead to the edge at the gateway, for the apps of the project', () => {
    const hosts = publicHosts(app, { containers, network, baseDomain: 'apps.localhost' });
    const domain = (id: string, name: string) => autoDomain({ id, name }, 'apps.localhost');
    expect(hosts).toEqual([
      `${domain('a1', 'shop')}:172.18.0.1`,
      `${domain('b2', 'blog')}:172.18.0.1`,
    ]);
  });

  it('are left to the DNS for other domains', () => {
    expect(publicHosts(app, { containers, network, baseDomain: 'example.com' })).toEqual([]);
  });
});

describe('the archive of a folder', () => {
  const block = (first: number) => Buffer.alloc(512, first);
  it.each([
    ['is empty', [block(1), block(0), block(0)], false],
    ['has an entry', [block(1), block(2)], true],
    ['has an entry, in one chunk', [Buffer.concat([block(1), block(2), block(0)])], true],
    ['is empty, in one chunk', [Buffer.concat([block(1), block(0)])], false],
    ['has an entry, in odd chunks', [Buffer.alloc(500, 1), Buffer.alloc(12, 1), block(3)], true],
    ['ends early', [Buffer.alloc(100, 1)], false],
  ])('%s', async (_, chunks, hasEntry) => {
    expect(await hasSecondEntry(Readable.from(chunks))).toBe(hasEntry);
  });
});
