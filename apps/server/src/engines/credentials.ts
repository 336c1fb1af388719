import type { Secret } from '../secrets/secret.ts';
import { EngineFailure } from './failure.ts';

/** How a private repository is read. `name` says whose access it is, in messages. */
export type GitCredential = { name: string } & (
  | { kind: 'ssh'; privateKey: Secret; knownHosts: string }
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
