import type { Secret } from '../secrets/secret.ts';
import type { Credentials } from './credentials.ts';

/** Tells of each secret that is lent to a build, so that it can be hidden in what the build prints. */
export function noticedCredentials(
  credentials: Credentials,
  lent: (ownerId: string, secrets: string[]) => void,
): Credentials {
  const notice = (ownerId: string, secret: Secret) => lent(ownerId, [secret.reveal()]);
  return {
    ...credentials,
    async forGit(asked, signal) {
      const credential = await credentials.forGit(asked, signal);
      notice(asked.ownerId, credential.kind === 'ssh' ? credential.privateKey : credential.token);
      return credential;
    },
    async forRegistry(asked, signal) {
      const credential = await credentials.forRegistry(asked, signal);
      notice(asked.ownerId, credential.password);
      return credential;
    },
  };
}
