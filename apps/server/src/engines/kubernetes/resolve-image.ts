import { imageWithTag, registryOfImage } from '@longshore/contract';
import { z } from 'zod';
import { DOCKER_HUB, hostOfImage } from '../../build/registry-host.ts';
import { OutboundFailure } from '../../outbound/outbound-fetch.ts';
import { EngineFailure } from '../failure.ts';
import { basicAuth, type RegistryCredential } from '../source-credentials.ts';
import type { KubernetesDeps } from './deps.ts';

/** An image as it is now: its name with the digest, and the ports that it exposes. */
export type ResolvedImage = { image: string; digest: string; exposedPorts: number[] };

type RegistryDeps = Pick<KubernetesDeps, 'fetch' | 'registries'>;
type ImageName = { host: string; repository: string; reference: string };
type Ask = (path: string, accept: string) => Promise<Response>;

const HUB_API = 'https://registry-1.docker.io';
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const Platform = z.object({ os: z.string().optional() });
const Manifest = z.object({
  config: z.object({ digest: z.string() }).optional(),
  manifests: z.array(z.object({ digest: z.string(), platform: Platform.optional() })).optional(),
});
const Config = z.object({
  config: z.object({ ExposedPorts: z.record(z.string(), z.unknown()).nullish() }).nullish(),
});
const Token = z.object({ token: z.string().optional(), access_token: z.string().optional() });

/** Asks the registry which image a name means now, so that all nodes run the same one. */
export async function resolveImage(
  name: string,
  credential: RegistryCredential | undefined,
  deps: RegistryDeps,
  signal: AbortSignal,
): Promise<ResolvedImage> {
  const image = parseImageName(name);
  const ask = askRegistry(image, credential, deps, signal);
  const response = await ask(`manifests/${image.reference}`, MANIFESTS);
  const digest = response.headers.get('docker-content-digest') ?? '';
  if (!DIGEST.test(digest)) {
    throw new EngineFailure('registry-unreachable', ['The registry did not send a digest']);
  }
  const exposedPorts = await readExposedPorts(Manifest.parse(await response.json()), ask);
  return { image: `${image.host}/${image.repository}@${digest}`, digest, exposedPorts };
}

export function parseImageName(name: string): ImageName {
  const host = hostOfImage(name);
  const typedHost = registryOfImage(name);
  const path = imageWithTag(name, 'latest').slice(
    typedHost === undefined ? 0 : typedHost.length + 1,
  );
  const at = path.includes('@') ? path.indexOf('@') : path.lastIndexOf(':');
  const withTag = path.slice(0, at);
  // A tag beside a digest has no meaning.
  const repository = path.includes('@') ? withTag.replace(/:[^/]*$/, '') : withTag;
  const isOfficial = host === DOCKER_HUB && !repository.includes('/');
  return {
    host,
    repository: isOfficial ? `library/${repository}` : repository,
    reference: path.slice(at + 1),
  };
}

async function readExposedPorts(manifest: z.infer<typeof Manifest>, ask: Ask): Promise<number[]> {
  const child = manifest.manifests?.find(({ platform }) => platform?.os === 'linux');
  if (child !== undefined) {
    const response = await ask(`manifests/${child.digest}`, MANIFESTS);
    return await readExposedPorts(Manifest.parse(await response.json()), ask);
  }
  if (manifest.config === undefined) return [];
  const response = await ask(`blobs/${manifest.config.digest}`, '*/*');
  return exposedPortsOf(await response.json());
}

/** `config`: the configuration of an image. */
export function exposedPortsOf(image: unknown): number[] {
  const { config } = Config.parse(image);
  const names = Object.keys(config?.ExposedPorts ?? {}).filter((port) => port.endsWith('/tcp'));
  return names.map((port) => Number.parseInt(port, 10));
}

/** Requests of one repository, with the token that the registry asks for. */
function askRegistry(
  image: ImageName,
  credential: RegistryCredential | undefined,
  deps: RegistryDeps,
  signal: AbortSignal,
): Ask {
  const origin = originOf(image.host, deps);
  const basic =
    credential && `Basic ${basicAuth(credential.username, credential.password).reveal()}`;
  let authorization: string | undefined;

  async function send(url: string, headers: Record<string, string>): Promise<Response> {
    try {
      return await deps.fetch(url, { headers, signal });
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      const isRefused = error.reason === 'not-allowed';
      const reason = isRefused ? 'source-not-allowed' : 'registry-unreachable';
      throw new EngineFailure(reason, [error.message], { cause: error });
    }
  }

  async function authorize(challenge: string): Promise<string | undefined> {
    const url = tokenUrl(challenge, image.repository);
    if (url === undefined) return basic;
    const response = await send(url, basic === undefined ? {} : { authorization: basic });
    if (!response.ok) throw new EngineFailure('image-refused');
    const { token, access_token } = Token.parse(await response.json());
    return `Bearer ${token ?? access_token ?? ''}`;
  }

  return async (path, accept) => {
    const url = `${origin}/v2/${image.repository}/${path}`;
    const headers = () => ({ accept, ...(authorization === undefined ? {} : { authorization }) });
    let response = await send(url, headers());
    if (response.status === 401 && authorization === undefined) {
      authorization = await authorize(response.headers.get('www-authenticate') ?? '');
      if (authorization !== undefined) response = await send(url, headers());
    }
    if (response.ok) return response;
    throw registryFailure(response.status);
  };
}

function registryFailure(status: number): EngineFailure {
  if (status === 404 || status === 400) return new EngineFailure('image-not-found');
  if (status === 401 || status === 403) return new EngineFailure('image-refused');
  return new EngineFailure('registry-unreachable', [`The registry responded with ${status}`]);
}

/** The address of a token server; undefined when the registry wants the password itself. */
export function tokenUrl(challenge: string, repository: string): string | undefined {
  if (!/^bearer /i.test(challenge)) return undefined;
  const parameters = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  if (parameters.realm === undefined || !URL.canParse(parameters.realm)) return undefined;
  const url = new URL(parameters.realm);
  if (parameters.service !== undefined) url.searchParams.set('service', parameters.service);
  url.searchParams.set('scope', parameters.scope ?? `repository:${repository}:pull`);
  return url.href;
}

function originOf(host: string, { registries: { registry } }: RegistryDeps): string {
  if (host === DOCKER_HUB) return HUB_API;
  const isPlain = host === registry?.host && registry.isInsecure;
  return `${isPlain ? 'http' : 'https'}://${host}`;
}
