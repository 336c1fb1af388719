import { basicAuth, type RegistryCredential } from '../../engines/source-credentials.ts';
import { Secret } from '../../secrets/secret.ts';
import { DOCKER_HUB } from '../registry-host.ts';

/** Docker Hub in Docker's configuration. Every other registry is its host, with the port if there is one. */
const DOCKER_HUB_KEY = 'https://index.docker.io/v1/';

/**
 * The value of DOCKER_AUTH_CONFIG. buildctl looks a registry up by its exact host and port, so each password goes to its own
 * registry only. Undefined without credentials.
 */
export function registryAuth(credentials: RegistryCredential[]): Secret | undefined {
  if (credentials.length === 0) return undefined;
  const auths = credentials.map(({ host, username, password }) => [
    host === DOCKER_HUB ? DOCKER_HUB_KEY : host,
    { auth: basicAuth(username, password).reveal() },
  ]);
  return new Secret(JSON.stringify({ auths: Object.fromEntries(auths) }));
}
