import { Secret } from '../secrets/secret.ts';
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

/** `skipped`: integrations that are not used, with the reason. */
export type BaseImageCredentials = { credentials: RegistryCredential[]; skipped: string[] };

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
  /** All registries of the owner, each host once, for the base images of a build. */
  forBaseImages(request: { ownerId: string }, signal: AbortSignal): Promise<BaseImageCredentials>;
};

/** For servers without integrations: every lookup of one fails. */
export const noSourceCredentials: SourceCredentials = {
  forGit: async () => {
    throw new EngineFailure('integration-not-found');
  },
  forRegistry: async () => {
    throw new EngineFailure('integration-not-found');
  },
  forBaseImages: async () => ({ credentials: [], skipped: [] }),
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

/**
 * The registries that the build of a release may sign in to. An image gets exactly the integration that the app names, or none; a
 * repository gets all of its owner, because its base images are unknown before the build.
 */
export async function buildCredentialsFor(
  { ownerId, origin }: ReleaseSpec,
  { credentials }: CredentialDeps,
  signal: AbortSignal,
): Promise<BaseImageCredentials> {
  if (origin.kind === 'git') return await credentials.forBaseImages({ ownerId }, signal);
  const { integrationId, image } = origin;
  if (integrationId === undefined) return { credentials: [], skipped: [] };
  const credential = await credentials.forRegistry({ ownerId, integrationId, image }, signal);
  return { credentials: [credential], skipped: [] };
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
      record(request.ownerId, registrySecrets(credential));
      return credential;
    },
    async forBaseImages(request, signal) {
      const found = await credentials.forBaseImages(request, signal);
      record(request.ownerId, found.credentials.flatMap(registrySecrets));
      return found;
    },
  };
}

/** As tools print them: the password, and how HTTP and configuration files contain it. */
function registrySecrets({ username, password }: RegistryCredential): string[] {
  return [password.reveal(), basicAuth(username, password).reveal()];
}

/** User name and password as in HTTP Basic authentication and in Docker's configuration. */
export function basicAuth(username: string, password: Secret): Secret {
  return new Secret(Buffer.from(`${username}:${password.reveal()}`).toString('base64'));
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
