import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:http';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartProblem } from '../../lifecycle/start-problem.ts';
import { createKubernetesApi, type KubernetesApi } from './kubernetes-api.ts';

/** The part of `@kubernetes/client-node` that is used. It is installed for this engine only, so its types are not there. */
type KubeConfig = {
  loadFromFile(path: string): void;
  loadFromCluster(): void;
  getCurrentCluster(): { server: string } | null;
  applyToHTTPSOptions(options: RequestOptions): Promise<void>;
};
type ClientModule = { KubeConfig: new () => KubeConfig };

/** `kubeconfig`: the path of the file; undefined inside of a cluster, where the pod has a service account. */
export type ClusterSettings = { kubeconfig: string | undefined };

/** `namespace`: where this server runs; undefined outside of the cluster. */
export type OpenedCluster = { api: KubernetesApi; version: string; namespace: string | undefined };

const TIMEOUT_MS = 10_000;
const NAMESPACE_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';
const CLIENT = pathToFileURL(
  join(
    import.meta.dirname,
    '../../../kubernetes-client/node_modules/@kubernetes/client-node/dist/config.js',
  ),
).href;
/** What `config.js` imports for requests with types, which are not used. Its hundreds of modules would need 70 MB. */
const TYPED_REQUESTS = './gen/index.js';
const NOTHING =
  'data:text/javascript,export const createConfiguration = undefined, ServerConfiguration = undefined';

/** Throws a problem that stops the start, with what the operator can do. */
export async function openCluster({ kubeconfig }: ClusterSettings): Promise<OpenedCluster> {
  const { KubeConfig } = await loadClient();
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromCluster();
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    throw unreachable(kubeconfig, error);
  }
  const server = config.getCurrentCluster()?.server;
  if (server === undefined || !URL.canParse(server)) throw unreachable(kubeconfig, undefined);
  const authorize = (options: RequestOptions) => config.applyToHTTPSOptions(options);
  const api = createKubernetesApi({ server, authorize });
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { gitVersion } = await api.call<{ gitVersion: string }>('GET', '/version', { signal });
    // Who may list namespaces finds what the engine runs.
    await api.call('GET', '/api/v1/namespaces', { query: { limit: 1 }, signal });
    return { api, version: gitVersion, namespace: await ownNamespace(kubeconfig) };
  } catch (error) {
    throw unreachable(kubeconfig, error);
  }
}

async function ownNamespace(kubeconfig: string | undefined): Promise<string | undefined> {
  return kubeconfig === undefined ? (await readFile(NAMESPACE_FILE, 'utf8')).trim() : undefined;
}

async function loadClient(): Promise<ClientModule> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === TYPED_REQUESTS && context.parentURL === CLIENT
        ? { url: NOTHING, shortCircuit: true }
        : next(specifier, context),
  });
  try {
    return (await import(CLIENT)) as ClientModule;
  } catch (error) {
    const what = 'The client for Kubernetes is not installed.';
    throw new StartProblem(`${what} Start Longshore with "npm start", which installs it.`, {
      cause: error,
    });
  } finally {
    hooks.deregister();
  }
}

function unreachable(kubeconfig: string | undefined, cause: unknown): StartProblem {
  const how =
    kubeconfig === undefined
      ? 'KUBECONFIG is not set, and this server does not run in a cluster with a service account'
      : `KUBECONFIG is ${kubeconfig}`;
  const why = cause instanceof Error ? ` (${messageOf(cause)})` : '';
  const text = `LONGSHORE_ENGINE is kubernetes, but the cluster cannot be reached: ${how}${why}.`;
  return new StartProblem(`${text} Check the file and the network, or choose another engine.`, {
    cause,
  });
}

function messageOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
