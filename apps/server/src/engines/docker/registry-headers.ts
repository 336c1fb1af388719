import type { RegistryCredential } from '../source-credentials.ts';

/** How the Engine is told what to sign in to a registry with. It keeps nothing of it. */
export function registryHeaders(
  credential: RegistryCredential | undefined,
): Record<string, string> {
  if (credential === undefined) return {};
  const { host, username, password } = credential;
  const auth = { username, password: password.reveal(), serveraddress: host };
  return { 'x-registry-auth': Buffer.from(JSON.stringify(auth)).toString('base64url') };
}
