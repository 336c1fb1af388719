import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import type { Builder } from '../../../build/buildkit/builder.ts';
import { ImageTooLarge } from '../../../build/buildkit/image-archive.ts';
import type { BuiltImage, Layer } from '../../../build/buildkit/image-layout.ts';
import { Secret } from '../../../secrets/secret.ts';
import { isReleaseRepository, type Push, pushImage, removeImage } from './push-image.ts';

const { signal } = new AbortController();
const RELEASE = { appId: 'shop', number: 3, ownerId: 'ada' };
const MAX = { bytes: 1_000_000, files: 1_000 };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const digestOf = (content: string | Buffer) =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** An empty tar archive, unlike the others of the same length. */
function layerOf(name: string) {
  const content = Buffer.alloc(1024);
  return { name, content, digest: digestOf(content), diffId: digestOf(content) };
}

const LAYER = layerOf('files');
const CONFIG = Buffer.from('{"architecture":"amd64"}');
const IMAGE: BuiltImage = {
  architecture: 'amd64',
  config: { digest: digestOf(CONFIG), bytes: CONFIG },
  layers: [{ digest: LAYER.digest, diffId: LAYER.diffId, size: 1024, compression: 'none' }],
};

/** A builder whose files all have this content. */
const builderWith = (content: Buffer): Builder => ({
  folder: '/builds',
  start: async () => ({
    output: (async function* () {
      yield { stream: 'output' as const, bytes: content };
    })(),
    exitCode: async () => 0,
  }),
});

/** The first outputs of its programs end after so many bytes. */
function lossyBuilder(content: Buffer, ends: number[]): Builder {
  async function* output() {
    const arriving = content.subarray(0, ends.shift());
    for (let at = 0; at < arriving.length; at += 30) {
      yield { stream: 'output' as const, bytes: arriving.subarray(at, at + 30) };
    }
  }
  return {
    folder: '/builds',
    start: async () => ({ output: output(), exitCode: async () => 0 }),
  };
}

type Handler = (request: IncomingMessage, body: string) => Partial<Answer> | undefined;
type Answer = { status: number; headers: Record<string, string>; body: string };

/** A registry that keeps what it gets. `handle` answers first. */
async function startRegistry(handle: Handler = () => undefined) {
  const blobs = new Map<string, string>();
  const manifests = new Map<string, string>();
  const requests: string[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request).catch(() => '');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://registry');
    requests.push(`${request.method} ${pathname}`);
    const answer =
      handle(request, body) ?? store(request.method ?? '', pathname, searchParams, body);
    const { status = 200, headers = {} } = answer;
    response.writeHead(status, headers).end(answer.body);
  });
  servers.push(server);
  let uploaded = '';
  function store(
    method: string,
    path: string,
    query: URLSearchParams,
    body: string,
  ): Partial<Answer> {
    const name = path.split('/').at(-1) ?? '';
    const location = { location: '/v2/upload/1?state=x' };
    if (method === 'HEAD') return { status: blobs.has(name) ? 200 : 404 };
    if (method === 'POST') return { status: 202, headers: location };
    if (method === 'PATCH') {
      uploaded = body;
      return { status: 202, headers: location };
    }
    if (path.includes('/manifests/')) manifests.set(name, body);
    else blobs.set(query.get('digest') ?? '', uploaded);
    return { status: 201 };
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { blobs, manifests, requests, registry: { host, path: 'team', isInsecure: true } };
}

const pushTo = (
  registry: Push['registry'],
  content = LAYER.content,
  changes: Partial<Pick<Push, 'image' | 'max' | 'builder'>> = {},
) =>
  pushImage(
    {
      release: RELEASE,
      image: IMAGE,
      builder: builderWith(content),
      registry,
      max: MAX,
      ...changes,
    },
    signal,
  );

it('sends layers, configuration and manifest, and names the image by its digest', async () => {
  const { registry, blobs, manifests } = await startRegistry();
  const name = await pushTo(registry);
  expect([...blobs.keys()]).toEqual([LAYER.digest, digestOf(CONFIG)]);
  const manifest = manifests.get('shop-3') ?? '';
  expect(name).toBe(`${registry.host}/team/longshore-ada@${digestOf(manifest)}`);
  expect(JSON.parse(manifest)).toMatchObject({
    layers: [{ digest: LAYER.digest, mediaType: 'application/vnd.oci.image.layer.v1.tar' }],
    annotations: { 'dev.longshore.app': 'shop', 'dev.longshore.release': '3' },
  });
});

it('does not send what the registry has', async () => {
  const { registry, requests } = await startRegistry();
  await pushTo(registry);
  requests.splice(0);
  await pushTo(registry);
  expect(requests.map((request) => request.split(' ')[0])).toEqual(['HEAD', 'HEAD', 'PUT']);
});

it('refuses layers that are too large together, also if the registry has them', async () => {
  const { registry, requests } = await startRegistry();
  await pushTo(registry);
  requests.splice(0);
  const max = { ...MAX, bytes: 1023 };
  await expect(pushTo(registry, LAYER.content, { max })).rejects.toThrow(ImageTooLarge);
  expect(requests).toEqual([]);
});

it('refuses one layer that is described in two ways', async () => {
  const { registry } = await startRegistry();
  const [layer] = IMAGE.layers;
  const layers = [...IMAGE.layers, { ...(layer as Layer), compression: 'gzip' as const }];
  const pushing = pushTo(registry, LAYER.content, { image: { ...IMAGE, layers } });
  await expect(pushing).rejects.toThrow('one layer in two ways');
});

it('does not store a layer with another content than its digest says', async () => {
  const { registry, blobs } = await startRegistry();
  const other = Buffer.alloc(1024, 1);
  await expect(pushTo(registry, other)).rejects.toThrow('does not have the digest it claims');
  expect(blobs.size).toBe(0);
});

it.each([
  ['sends a layer whose end was lost on its way twice', [47, 80], true],
  ['gives up if nothing of a layer arrives', [0, 0, 0], false],
])('%s', async (_, ends, isSent) => {
  const { registry, blobs } = await startRegistry();
  const content = Buffer.alloc(1024);
  content.write(randomBytes(50).toString('hex'));
  const digest = digestOf(content);
  const layers = IMAGE.layers.map((layer) => ({ ...layer, digest, diffId: digest }));
  const pushing = pushTo(registry, content, {
    image: { ...IMAGE, layers },
    builder: lossyBuilder(content, ends),
  });
  if (isSent) await pushing;
  else await expect(pushing).rejects.toThrow('A layer is too short');
  expect(blobs.has(digest)).toBe(isSent);
});

it('signs in with the account of the operator, and shows it to no other host', async () => {
  const seen: (string | undefined)[] = [];
  const storage = await startRegistry((request) => {
    seen.push(request.headers.authorization);
    return undefined;
  });
  const { registry } = await startRegistry((request) => {
    if (request.headers.authorization === undefined)
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="registry"' } };
    const location = `http://${storage.registry.host}/v2/upload/1`;
    return request.method === 'POST' ? { status: 202, headers: { location } } : undefined;
  });
  const credential = { username: 'operator', password: new Secret('hunter2') };
  await pushTo({ ...registry, credential });
  expect(storage.blobs.size).toBe(2);
  expect(new Set(seen)).toEqual(new Set([undefined]));
});

it('fails with the status of a registry that refuses the image', async () => {
  const { registry } = await startRegistry(() => ({ status: 403 }));
  await expect(pushTo(registry)).rejects.toMatchObject({
    reason: 'registry-unreachable',
    evidence: ['LONGSHORE_REGISTRY refused the image with the status 403'],
  });
});

it('fails if the registry does not respond', async () => {
  await expect(pushTo({ host: '127.0.0.1:9', path: '', isInsecure: true })).rejects.toMatchObject({
    reason: 'registry-unreachable',
  });
});

it.each([
  [202, true],
  [404, true],
  [405, false],
])(
  'reports after a response of %s to a removal whether the image is gone',
  async (status, gone) => {
    const { registry, requests } = await startRegistry(() => ({ status }));
    const image = `${registry.host}/team/longshore-ada@${LAYER.digest}`;
    expect(await removeImage(image, registry, signal)).toBe(gone);
    expect(requests).toEqual([`DELETE /v2/team/longshore-ada/manifests/${LAYER.digest}`]);
  },
);

it.each([
  ['team', 'team/longshore-ada', true],
  ['', 'longshore-ada', true],
  ['team', 'team/node', false],
  ['team', 'longshore-ada', false],
])('knows in %j that %s belongs to releases: %s', (path, repository, expected) => {
  expect(isReleaseRepository({ path }, repository)).toBe(expected);
});
