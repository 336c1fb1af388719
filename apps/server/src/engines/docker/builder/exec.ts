import { pipeline } from 'node:stream/promises';
import type {
  BuilderCommand,
  BuilderProcess,
  OutputChunk,
} from '../../../build/buildkit/builder.ts';
import { frames } from '../container-logs.ts';
import type { DockerDeps } from '../deps.ts';
import { toEngineDown } from '../docker-error.ts';

const ERROR_STREAM = 2;

/** Starts a program in a container. Aborting closes its streams but does not end it. */
export async function execInContainer(
  id: string,
  { argv, env = {}, input }: BuilderCommand,
  { docker }: Pick<DockerDeps, 'docker'>,
  signal: AbortSignal,
): Promise<BuilderProcess> {
  const body = {
    AttachStdin: input !== undefined,
    AttachStdout: true,
    AttachStderr: true,
    Cmd: argv,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
  };
  const { Id } = await docker.call<{ Id: string }>('POST', `/containers/${id}/exec`, {
    body,
    signal,
  });
  const socket = await docker.hijack(`/exec/${Id}/start`, {
    body: { Detach: false, Tty: false },
    signal,
  });
  // A program that does not read its input to the end closes the connection; its exit code says more.
  const feeding = input === undefined ? undefined : pipeline(input, socket);
  feeding?.catch((error: unknown) => socket.destroy(error as Error));

  async function* output(): AsyncGenerator<OutputChunk> {
    try {
      for await (const { output: number, bytes } of frames(socket)) {
        yield { stream: number === ERROR_STREAM ? 'error' : 'output', bytes };
      }
    } catch (error) {
      signal.throwIfAborted();
      throw toEngineDown(error);
    } finally {
      socket.destroy();
    }
    signal.throwIfAborted();
  }

  return {
    output: output(),
    async exitCode() {
      const { ExitCode } = await docker.call<{ ExitCode: number | null }>(
        'GET',
        `/exec/${Id}/json`,
        { signal },
      );
      return ExitCode ?? -1;
    },
  };
}
