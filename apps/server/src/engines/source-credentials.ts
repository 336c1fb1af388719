import type { Secret } from '../secrets/secret.ts';
import type { ReleaseSpec } from './engine.ts';
import { EngineFailure, type Reason } from './failure.ts';

/**
 * Access to a private repository. `name` is the name of the integration, for messages. `privateKey` is PKCS #8; `hostKeys` are
 * all known keys of the host, as `type base64`.
 */
export type GitCredential = { name: string } & (
  | { kind: 'ssh'; privateKey: Secret; hostKeys: string[] }
  | { kind: 'https'; username: string; token: Secret }
);

/** Access to private images. `host` is the registry host at the start of image names. */
export type RegistryCredential = {
  name: string;
  host: string;
  username: string;
  password: Secret;
};

export type CredentialRequest = { ownerId: string; integrationId: string };

/**
 * Looks up the access that a user's integration gives to private sources. Only integrations of the owner are found, and each is
 * used at its own host only. Every problem is thrown as `EngineFailure`.
 */
export type SourceCredentials = {
  forGit(request: CredentialRequest & { url: string }, signal: AbortSignal): Promise<GitCredential>;
  forRegistry(
    request: CredentialRequest & { image: string },
    signal: AbortSignal,
  ): Promise<RegistryCredential>;
};

/** For servers without integrations: every lookup fails. */
export const noSourceCredentials: SourceCredentials = {
  forGit: async () => {
    throw new EngineFailure('integration-not-found');
  },
  forRegistry: async () => {
    throw new EngineFailure('integration-not-found');
  },
};

type CredentialDeps = { credentials: SourceCredentials };

/** The credential for the repository of a release; undefined when the release names no integration. */
export async function gitCredentialFor(
  { ownerId, origin }: ReleaseSpec,
  { credentials }: CredentialDeps,
  signal: AbortSignal,
): Promise<GitCredential | undefined> {
  const { integrationId } = origin;
  if (origin.kind !== 'git' || integrationId === undefined) return undefined;
  return await credentials.forGit({ ownerId, integrationId, url: origin.url }, signal);
}

/** The credential for the image of a release; undefined when the release names no integration. */
export async function registryCredentialFor(
  { ownerId, origin }: ReleaseSpec,
  { credentials }: CredentialDeps,
  signal: AbortSignal,
): Promise<RegistryCredential | undefined> {
  const { integrationId } = origin;
  if (origin.kind !== 'image' || integrationId === undefined) return undefined;
  return await credentials.forRegistry({ ownerId, integrationId, image: origin.image }, signal);
}

/** Passes each secret that an engine receives to `record`, so that it can be masked in build output. */
export function recordUsedSecrets(
  credentials: SourceCredentials,
  record: (ownerId: string, secrets: string[]) => void,
): SourceCredentials {
  return {
    async forGit(request, signal) {
      const credential = await credentials.forGit(request, signal);
      const secret = credential.kind === 'ssh' ? credential.privateKey : credential.token;
      record(request.ownerId, [secret.reveal()]);
      return credential;
    },
    async forRegistry(request, signal) {
      const credential = await credentials.forRegistry(request, signal);
      record(request.ownerId, [credential.password.reveal()]);
      return credential;
    },
  };
}

/** Hosts report a private source as missing to accounts without access, so both reasons may be about the credential. */
const ACCESS_REASONS: Reason[] = [
  'repository-refused',
  'repository-not-found',
  'image-refused',
  'image-not-found',
];

/** Adds the name of the integration to the evidence when a source could not be read with it. */
export function mentionCredential(
  error: unknown,
  credential: { name: string } | undefined,
): unknown {
  if (!(error instanceof EngineFailure) || credential === undefined) return error;
  if (!ACCESS_REASONS.includes(error.reason)) return error;
  const evidence = [...error.evidence, `Tried with the integration ${credential.name}`];
  return new EngineFailure(error.reason, evidence, { cause: error });
}
