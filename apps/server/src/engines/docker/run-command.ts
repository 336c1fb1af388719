import { setTimeout as delay } from 'node:timers/promises';
import type { CommandEnd } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import {
  COMMAND_NOT_FOUND,
  type CommandRequest,
  type RunningCommands,
  withStartCommand,
} from '../running-commands.ts';
import { appPort } from './app-port.ts';
import { type Container, toExit } from './container.ts';
import { containerConfig } from './container-config.ts';
import { createContainerLineSplitter } from './container-lines.ts';
import { readLogEntries } from './container-logs.ts';
import {
  inspectContainer,
  killContainer,
  listCommandContainers,
  listOwnContainers,
  removeContainer,
} from './containers.ts';
import type { DockerDeps } from './deps.ts';
import type { Network } from './firewall.ts';
import { findImage } from './images.ts';
import { ensureNetwork } from './networks.ts';
import { COMMAND_LABELS, commandContainerName, imageTag, LABELS } from './ownership.ts';
import { readFoundPort } from './releases.ts';
import {
  createFitting,
  type NewContainer,
  publicHosts,
  retryTransient,
  startOptions,
} from './start-container.ts';

/** For Docker to send the last lines, or to remove a container. */
const FINISH_TIMEOUT_MS = 5_000;
const REMOVE_TIMEOUT_MS = 30_000;
const REMOVE_CHECK_MS = 100;
/** Added to the timeout of a command, which ends before. */
const WAIT_SLACK_MS = 60_000;

/** Runs a command in a container of its own, which is removed at the end. */
export async function runCommand(
  request: CommandRequest,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const { spec, command } = request;
  const id = await retryTransient(spec, async () => {
    const network = await ensureNetwork(spec, deps, signal);
    return await createContainer(request, network, deps, signal);
  });
  try {
    await retryTransient(spec, () =>
      deps.docker.call('POST', `/containers/${id}/start`, { signal }),
    );
    return await waitForEnd(id, request, deps, signal);
  } catch (error) {
    if (!(error instanceof EngineFailure) || error.reason !== 'start-command-missing') throw error;
    deps.logs.append(spec.appId, command.logName, 'The command was not found');
    return { kind: 'exited', exit: { code: COMMAND_NOT_FOUND, signal: undefined } };
  } finally {
    await removeForGood(id, deps);
  }
}

/** As an instance, but without a name for the other apps of the project, and without a published port. */
async function createContainer(
  { spec: wanted, command }: CommandRequest,
  network: Network,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string> {
  const { owner, baseDomain } = deps;
  const image = await findImage(imageTag(owner, wanted.appId, wanted.number), deps, signal);
  const port = appPort(wanted.ports, { image, found: await readFoundPort(wanted, deps) });
  const ports = port === undefined ? [] : [{ number: port, expose: true }];
  const spec = withStartCommand({ ...wanted, ports }, command);
  const containers = await listOwnContainers(deps, {}, signal);
  const extraHosts = publicHosts(spec, { containers, network, baseDomain });
  const options = { spec, instance: 0, access: undefined, command: startOptions(spec, image) };
  const name = commandContainerName(owner, spec.appId, command.id);
  const configOf: NewContainer['configOf'] = (storage) => {
    const config = containerConfig({ ...options, extraHosts, ...storage }, owner);
    return {
      ...config,
      Labels: {
        // Empty, because the image may have this label: a command is no instance.
        [LABELS.installation]: '',
        [COMMAND_LABELS.installation]: owner.installation,
        [COMMAND_LABELS.id]: command.id,
        [LABELS.app]: spec.appId,
        [LABELS.project]: spec.projectId,
        [LABELS.release]: String(spec.number),
      },
      NetworkingConfig: {},
    };
  };
  return await createFitting({ name, configOf }, deps, signal);
}

async function waitForEnd(
  id: string,
  { spec, command }: CommandRequest,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const timeout = AbortSignal.timeout(command.timeoutMs);
  const stopped = AbortSignal.any([signal, timeout]);
  const output = copyOutput(id, { spec, command }, deps);
  try {
    await deps.docker.call('POST', `/containers/${id}/wait`, {
      query: { condition: 'not-running' },
      timeoutMs: command.timeoutMs + WAIT_SLACK_MS,
      signal: stopped,
    });
  } catch (error) {
    if (!stopped.aborted) throw error;
    await killContainer(id, deps, new AbortController().signal);
  } finally {
    await output.finish();
  }
  signal.throwIfAborted();
  if (timeout.aborted) return { kind: 'timed-out' };
  const container = await inspectContainer(id, deps, signal);
  if (container === undefined) {
    throw new EngineFailure('engine-failed', ['The container of the command was removed']);
  }
  const { at: _, ...exit } = toExit(container.State);
  return { kind: 'exited', exit };
}

/** Copies the output of a container to the log until `finish`, which reads what is missing. */
function copyOutput(id: string, { spec, command }: CommandRequest, deps: DockerDeps) {
  const append = (line: string) => deps.logs.append(spec.appId, command.logName, line);
  const lines = createContainerLineSplitter(append);
  const hung = new AbortController();
  let lastAt: string | undefined;

  async function copy(isFollowing: boolean, signal: AbortSignal): Promise<void> {
    const range = { since: lastAt, isFollowing };
    for await (const { at, output, bytes } of readLogEntries(id, range, deps, signal)) {
      // A later stream begins with the entry of that time.
      if (lastAt !== undefined && at <= lastAt && !isFollowing) continue;
      lastAt = at;
      lines.push(output, bytes);
      await deps.logs.waitForRoom(spec.appId);
    }
  }

  const copying = copy(true, hung.signal).then(
    () => true,
    () => false,
  );
  return {
    /** Docker sometimes does not end the stream of an exited container. */
    async finish(): Promise<void> {
      const late = delay(FINISH_TIMEOUT_MS, false, { ref: false });
      if (!(await Promise.race([copying, late]))) {
        hung.abort();
        await copying;
        await copy(false, AbortSignal.timeout(FINISH_TIMEOUT_MS)).catch(() => {});
      }
      lines.end();
    },
  };
}

/** Resolves when the container is gone, and with it everything that ran in it. */
async function removeForGood(id: string, deps: DockerDeps): Promise<void> {
  const signal = AbortSignal.timeout(REMOVE_TIMEOUT_MS);
  await removeContainer(id, deps, signal);
  while ((await inspectContainer(id, deps, signal)) !== undefined) {
    await delay(REMOVE_CHECK_MS, undefined, { signal });
  }
}

/** For what they have written. */
export async function inspectCommands(
  appId: string,
  deps: Pick<DockerDeps, 'docker' | 'owner'>,
  signal: AbortSignal,
): Promise<Container[]> {
  const listed = await listCommandContainers(deps, signal, appId);
  const found = await Promise.all(listed.map(({ Id }) => inspectContainer(Id, deps, signal)));
  return found.filter((container) => container !== undefined);
}

/** Ends the commands that an earlier server, or one that could not reach Docker, left. */
export function createOldCommandsRemover(
  running: Pick<RunningCommands, 'ofApp'>,
  deps: DockerDeps,
) {
  let isDone = false;

  async function remove(signal: AbortSignal): Promise<void> {
    const isRunning = (appId: string, commandId: string) =>
      running.ofApp(appId).some(({ id }) => id === commandId);
    for (const { Id, appId, commandId } of await listCommandContainers(deps, signal)) {
      if (!isRunning(appId, commandId)) await removeForGood(Id, deps);
    }
  }

  return {
    async once(signal: AbortSignal): Promise<void> {
      if (isDone) return;
      await remove(signal);
      isDone = true;
    },
    again() {
      isDone = false;
    },
  };
}
