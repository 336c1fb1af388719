import { setTimeout as delay } from 'node:timers/promises';
import { createLineSplitter } from '../../processes/line-splitter.ts';
import type { CommandEnd, Exit } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { createLogPosition, type LogPosition } from '../log-position.ts';
import { COMMAND_NOT_FOUND, type CommandRequest, withStartCommand } from '../running-commands.ts';
import { commandPodManifest } from './command-pod.ts';
import type { KubernetesDeps } from './deps.ts';
import { hasStatus, isClusterDown } from './kubernetes-error.ts';
import { secretManifests } from './manifests.ts';
import { ensureNamespace, listOfApp } from './namespaces.ts';
import { COMMAND_LABELS, commandSelector } from './ownership.ts';
import { isOverdue, type Pod, terminatedIn, toExit, toPod } from './pod.ts';
import { readLog } from './pod-logs.ts';
import { deletePod, readPod } from './pods.ts';
import { pullCredentialFor } from './pull-credential.ts';
import { findBuilt } from './releases.ts';
import { chosenPorts, waitUntilStarted } from './start-instance.ts';
import { waitUntilGone } from './stop-instance.ts';

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 1_000;
const PAUSE_GROWTH = 1.3;
const ENTRIES_PER_ROOM_CHECK = 32;
/** For the cluster to send the last lines. */
const FINISH_TIMEOUT_MS = 5_000;
/** For the cluster to remove a pod: longer than until one on a lost node is overdue. */
const REMOVE_TIMEOUT_MS = 40_000;

/** Commands in pods of their own, which are removed at the end. */
export type CommandPods = {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandEnd>;
  /**
   * Ends the commands of an app that an earlier server, or one that could not reach the cluster, left. Does nothing after it has
   * succeeded once.
   */
  endOld(appId: string, signal: AbortSignal): Promise<void>;
  /** Resolves when they are gone. */
  removeOld(appId: string, signal: AbortSignal): Promise<void>;
};

export function createCommandPods(deps: KubernetesDeps): CommandPods {
  /** The pods of commands that this server runs. */
  const own = new Set<string>();
  /** Apps without commands of earlier servers. */
  const clean = new Set<string>();
  /** Apps that this server has run a command of, whose pod may be left. */
  const used = new Set<string>();
  const listLeft = createLeftCommands(deps);

  async function listOld(appId: string, signal: AbortSignal): Promise<Pod[]> {
    const pods = await listCommandPods(appId, deps, signal);
    return pods.filter((pod) => !own.has(pathOf(pod)));
  }

  async function removeOld(appId: string, signal: AbortSignal): Promise<void> {
    for (const pod of await listOld(appId, signal)) await removeForGood(pod, deps, signal);
  }

  return {
    removeOld,
    /** A node that does not respond keeps its pods, so their end is not waited for here. */
    async endOld(appId, signal) {
      if (clean.has(appId)) return;
      const left = used.has(appId) ? undefined : await listLeft(appId, signal);
      const old = left?.filter((pod) => !own.has(pathOf(pod))) ?? (await listOld(appId, signal));
      for (const pod of old) await deletePod(pod, deps, signal);
      clean.add(appId);
    },
    async run(request, signal) {
      const { appId } = request.spec;
      used.add(appId);
      await removeOld(appId, signal);
      const prepared = await prepare(request, deps, signal);
      const path = pathOf(prepared.manifest);
      own.add(path);
      try {
        return await runPod(prepared, request, deps, signal);
      } finally {
        own.delete(path);
        // Its pod may be left.
        clean.delete(appId);
      }
    },
  };
}

/**
 * Lists the commands that earlier servers have left, once for all apps of a project. Undefined when they have to be listed for
 * the app.
 */
function createLeftCommands({ api, owner, projects }: KubernetesDeps) {
  const lists = new Map<string, Promise<Pod[]>>();

  async function list(namespace: string): Promise<Pod[]> {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const query = { labelSelector: commandSelector(owner) };
    const { signal } = new AbortController();
    return (await api.call<{ items: Pod[] }>('GET', path, { query, signal })).items.map(toPod);
  }

  return async (appId: string, signal: AbortSignal): Promise<Pod[] | undefined> => {
    const namespaces = projects?.namespacesOf(appId);
    if (namespaces === undefined) return undefined;
    try {
      const found = namespaces.map(({ name }) => {
        const listing = lists.get(name) ?? list(name);
        lists.set(name, listing);
        return listing;
      });
      const pods = (await Promise.all(found)).flat();
      return pods.filter(({ metadata }) => metadata.labels[COMMAND_LABELS.app] === appId);
    } catch {
      for (const { name } of namespaces) lists.delete(name);
      signal.throwIfAborted();
      return undefined;
    }
  };
}

async function listCommandPods(
  appId: string,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<Pod[]> {
  const labelSelector = commandSelector(deps.owner, { [COMMAND_LABELS.app]: appId });
  return await listOfApp<Pod>('pods', appId, deps, signal, labelSelector);
}

function pathOf({
  metadata: { namespace, name },
}: {
  metadata: { namespace: string; name: string };
}) {
  return `${namespace}/${name}`;
}

type CommandManifest = ReturnType<typeof commandPodManifest>;
type Prepared = {
  manifest: CommandManifest;
  secrets(ownerUid: string): { metadata: { name: string } }[];
};

async function prepare(
  { spec: wanted, command }: CommandRequest,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<Prepared> {
  const { owner, limits } = deps;
  const built = await findBuilt(wanted, deps, signal);
  if (built === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${wanted.number} is not built`]);
  }
  await ensureNamespace(wanted, deps, signal);
  const ports = chosenPorts(wanted.ports, built);
  const spec = withStartCommand({ ...wanted, ports }, command);
  const credential = await pullCredentialFor(spec, deps, signal);
  const manifest = commandPodManifest(
    {
      spec,
      command,
      image: built.image,
      isPrivate: credential !== undefined,
      graceSeconds: limits.graceSeconds,
      deadlineSeconds: Math.ceil((limits.startMs + command.timeoutMs) / 1_000),
    },
    owner,
  );
  return {
    manifest,
    secrets: (ownerUid) => secretManifests(manifest, { spec, ownerUid, credential }),
  };
}

async function runPod(
  prepared: Prepared,
  request: CommandRequest,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const { spec, command } = request;
  const pod = await createPod(prepared.manifest, deps, signal);
  try {
    await admitPod(pod, prepared, deps, signal);
    await waitForStart(pod, deps, signal);
    return await waitForEnd(pod, request, deps, signal);
  } catch (error) {
    if (!(error instanceof EngineFailure) || error.reason !== 'start-command-missing') throw error;
    deps.logs.append(spec.appId, command.logName, 'The command was not found');
    return { kind: 'exited', exit: { code: COMMAND_NOT_FOUND, signal: undefined } };
  } finally {
    // The end of the command counts, whatever happens to its pod, which is removed before the next one.
    await removeForGood(pod, deps, AbortSignal.timeout(REMOVE_TIMEOUT_MS)).catch((error) => {
      if (!isClusterDown(error)) deps.logError(error);
    });
  }
}

async function createPod(body: CommandManifest, deps: KubernetesDeps, signal: AbortSignal) {
  const path = `/api/v1/namespaces/${body.metadata.namespace}/pods`;
  return await deps.api.call<Pod>('POST', path, { body, signal }).catch((error: unknown) => {
    if (!hasStatus(error, 409)) throw error;
    throw new EngineFailure('engine-failed', [
      'An earlier run of the command is on a node that does not respond',
    ]);
  });
}

/** Creates the Secrets of a pod, then lets it go to a node. */
async function admitPod(
  { metadata: { namespace, name, uid } }: Pod,
  { secrets }: Prepared,
  { api }: KubernetesDeps,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}`;
  for (const body of secrets(uid)) {
    const secretPath = `${path}/secrets/${body.metadata.name}`;
    await api.call('PATCH', secretPath, { patch: 'apply', body, signal });
  }
  const body = { spec: { schedulingGates: null } };
  await api.call('PATCH', `${path}/pods/${name}`, { body, signal });
}

async function waitForEnd(
  pod: Pod,
  request: CommandRequest,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const timeout = AbortSignal.timeout(request.command.timeoutMs);
  const output = copyOutput(pod, request, deps);
  try {
    const exit = await waitForExit(pod, deps, AbortSignal.any([signal, timeout]));
    return { kind: 'exited', exit };
  } catch (error) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw error;
    return { kind: 'timed-out' };
  } finally {
    await output.finish();
  }
}

/** The command may start while the API server does not respond, and must not run twice. */
async function waitForStart(pod: Pod, deps: KubernetesDeps, signal: AbortSignal): Promise<void> {
  const until = performance.now() + deps.limits.startMs;
  for (;;) {
    try {
      await waitUntilStarted(pod, deps, signal);
      return;
    } catch (error) {
      const isAboutPod = error instanceof EngineFailure && !isClusterDown(error);
      if (isAboutPod || performance.now() > until) throw error;
    }
    await delay(LAST_PAUSE_MS, undefined, { signal });
  }
}

/** The command continues while the API server does not respond, or responds with errors, as one that starts does. */
async function waitForExit(pod: Pod, deps: KubernetesDeps, signal: AbortSignal) {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= PAUSE_GROWTH) {
    const current = await readPod(pod, deps, signal).catch(() => pod);
    const exit = commandExit(current, Date.now());
    if (exit !== undefined) return exit;
    await delay(Math.min(pauseMs, LAST_PAUSE_MS), undefined, { signal });
  }
}

/** Undefined while it runs. Throws if it ended in another way than by itself. */
export function commandExit(pod: Pod | undefined, nowMs: number): Omit<Exit, 'at'> | undefined {
  const terminated = pod && terminatedIn(pod);
  if (terminated !== undefined) {
    const { at: _, ...exit } = toExit(terminated);
    return exit;
  }
  if (pod === undefined || pod.status?.phase === 'Failed' || isOverdue(pod, nowMs)) {
    throw new EngineFailure('engine-failed', [
      'The cluster removed the pod of the command, for example with its node',
    ]);
  }
  return undefined;
}

/** Copies the output of a pod to the log until `finish`, which reads what is missing. */
function copyOutput(pod: Pod, { spec, command }: CommandRequest, deps: KubernetesDeps) {
  const { appId } = spec;
  const lines = createLineSplitter((line) => deps.logs.append(appId, command.logName, line));
  const finishing = new AbortController();
  let position: LogPosition | undefined;

  async function copy(follow: { follow?: true }, signal: AbortSignal): Promise<void> {
    const reader = createLogPosition(position);
    const options = { since: position?.at, ...follow };
    let copied = 0;
    try {
      for await (const { at, bytes } of readLog(pod, options, deps, signal)) {
        if (reader.isKnown(at)) continue;
        lines.push(bytes);
        reader.add(at, true);
        copied += 1;
        if (copied % ENTRIES_PER_ROOM_CHECK !== 0) continue;
        reader.advance();
        await deps.logs.waitForRoom(appId);
      }
    } finally {
      position = reader.value();
    }
  }

  /** The API server may end a stream before the command ends. */
  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await copy({ follow: true }, signal).catch(() => {});
      await delay(LAST_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }

  const following = follow(finishing.signal);
  return {
    async finish(): Promise<void> {
      finishing.abort();
      await following;
      await copy({}, AbortSignal.timeout(FINISH_TIMEOUT_MS)).catch(() => {});
      lines.end();
    },
  };
}

/** Resolves when the pod is gone, and with it everything that ran in it. */
async function removeForGood(pod: Pod, deps: KubernetesDeps, signal: AbortSignal): Promise<void> {
  await deletePod(pod, deps, signal);
  await waitUntilGone(pod, deps, signal);
}
