import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { engineDown } from './docker-error.ts';
import {
  type DockerConnection,
  hijack,
  type Method,
  type RequestOptions,
  readText,
  sendRequest,
} from './send-request.ts';

export type CallOptions = RequestOptions & { timeoutMs?: number };

/** The Docker API over its socket. Error responses are thrown as `DockerError`, a missing response as `engine-down`. */
export type DockerApi = {
  socketPath: string;
  /** Returns the parsed response. Has a separate timeout. */
  call<Result>(method: Method, path: string, options: CallOptions): Promise<Result>;
  /** Streams the response of pulls, builds, logs and events until it ends or is aborted. */
  follow(method: Method, path: string, options: RequestOptions): Promise<AsyncIterable<Buffer>>;
  /** Opens the streams of a program in a container. Aborting closes them. */
  hijack(path: string, options: { body: unknown; signal: AbortSignal }): Promise<Socket>;
};

const CALL_TIMEOUT_MS = 60_000;
const AVAILABLE_TIMEOUT_MS = 3_000;

export function createDockerApi(socketPath: string): DockerApi {
  const connection = { agent: new Agent({ keepAlive: true }), socketPath };
  let version: Promise<string> | undefined;

  /** Negotiated with the first call, and again after a failure, because Docker may start later. */
  function versionOnce(): Promise<string> {
    version ??= negotiateVersion(connection).catch((error: unknown) => {
      version = undefined;
      throw error;
    });
    return version;
  }

  async function follow(method: Method, path: string, options: RequestOptions) {
    options.signal.throwIfAborted();
    return await sendRequest(connection, method, `/v${await versionOnce()}${path}`, options);
  }

  return {
    socketPath,
    follow,
    async hijack(path, options) {
      options.signal.throwIfAborted();
      return await hijack(connection, `/v${await versionOnce()}${path}`, options);
    },
    async call(method, path, { timeoutMs = CALL_TIMEOUT_MS, ...options }) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([options.signal, timeout]);
      try {
        const text = await readText(await follow(method, path, { ...options, signal }));
        return text === '' ? undefined : JSON.parse(text);
      } catch (error) {
        options.signal.throwIfAborted();
        throw timeout.aborted ? engineDown(error) : error;
      }
    },
  };
}

/** Whether a Docker Engine responds on the socket and this user has access to it. */
export async function isDockerAvailable(docker: DockerApi): Promise<boolean> {
  const signal = AbortSignal.timeout(AVAILABLE_TIMEOUT_MS);
  return await docker.call('GET', '/version', { signal }).then(
    () => true,
    () => false,
  );
}

export async function dockerVersion(docker: DockerApi, signal: AbortSignal): Promise<string> {
  const { Version } = (await docker.call('GET', '/version', { signal })) as { Version: string };
  return Version;
}

/** The API version this code is written for. An older Docker is used with its own version. */
const NEWEST_VERSION = '1.47';
const VERSION_TIMEOUT_MS = 10_000;

async function negotiateVersion(connection: DockerConnection): Promise<string> {
  const signal = AbortSignal.timeout(VERSION_TIMEOUT_MS);
  const response = await sendRequest(connection, 'GET', '/version', { signal });
  const { ApiVersion } = JSON.parse(await readText(response)) as { ApiVersion: string };
  return olderVersion(ApiVersion, NEWEST_VERSION);
}

/** The older of two `major.minor` versions. */
export function olderVersion(serverVersion: string, clientVersion: string): string {
  const [major = 0, minor = 0] = serverVersion.split('.').map(Number);
  const [clientMajor = 0, clientMinor = 0] = clientVersion.split('.').map(Number);
  const isOlder = major < clientMajor || (major === clientMajor && minor < clientMinor);
  return isOlder ? serverVersion : clientVersion;
}
