import type { Secret } from '../secrets/secret.ts';
import type { ReleaseSpec } from './engine.ts';
import { EngineFailure } from './failure.ts';

/** How a private repository is read. `name` says whose access it is, in messages. */
export type GitCredential = {
  name: string;
} /** `privateKey` as PKCS #8; `hostKeys` are all keys the host is known by, as `type base64`. */ & (
  | { kind: 'ssh'; privateKey: Secret; hostKeys: string[] }
  | { kind: 'https'; username: string; token: Secret }
);

export type RegistryCredential = {
  name: string;
  /** As image names begin with it. */
  host: string;
  username: string;
  password: Secret;
};

export type Asked = { ownerId: string; integrationId: string };

/**
 * What the integrations of users let engines read. An integration is found among its owner's only, and is good at its
 * own host only; whatever stands in the way is thrown as `EngineFailure`.
 */
export type Credentials = {
  forGit(asked: Asked & { url: string }, signal: AbortSignal): Promise<GitCredential>;
  forRegistry(asked: Asked & { image: string }, signal: AbortSignal): Promise<RegistryCredential>;
};

/** Where there are no integrations, nobody's name leads to one. */
export const noCredentials: Credentials = {
  forGit: async () => {
    throw new EngineFailure('integration-not-found');
  },
  forRegistry: async () => {
    throw new EngineFailure('integration-not-found');
  },
};

type Parts = { credentials: Credentials };

/** What the source of a release is read with; undefined when it names no integration. */
export async function gitCredential(
  { ownerId, origin }: ReleaseSpec,
  { credentials }: Parts,
  signal: AbortSignal,
): Promise<GitCredential | undefined> {
  const { integrationId } = origin;
  if (origin.kind !== 'git' || integrationId === undefined) return undefined;
  return await credentials.forGit({ ownerId, integrationId, url: origin.url }, signal);
}

/** What the image of a release is pulled with; undefined when it names no integration. */
export async function registryCredential(
  { ownerId, origin }: ReleaseSpec,
  { credentials }: Parts,
  signal: AbortSignal,
): Promise<RegistryCredential | undefined> {
  const { integrationId } = origin;
  if (origin.kind !== 'image' || integrationId === undefined) return undefined;
  return await credentials.forRegistry({ ownerId, integrationId, image: origin.image }, signal);
}
