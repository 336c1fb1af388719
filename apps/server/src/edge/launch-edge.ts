import { join } from 'node:path';
import type { LaunchRequest, LaunchResult, ListenerInfo } from '@longshore/edge-contract';
import { listenProblem, StartProblem } from '../lifecycle/start-problem.ts';
import type { Identity } from '../processes/identity.ts';
import { run } from '../processes/run.ts';
import type { InstalledEdge } from './install-edge.ts';

export type LaunchOptions = {
  listeners: ListenerInfo[];
  identity: Identity | undefined;
  /** Puts the edge into a control group of its own, before it starts anything. */
  joinGroup?: ((pid: number) => void) | undefined;
  signal: AbortSignal;
};

const LAUNCH_MS = 60_000;
const VARIABLES = { http: 'LONGSHORE_INGRESS_PORT', https: 'LONGSHORE_HTTPS_PORT' };

/** Starts the edge in a session of its own. Resolves when it answers. */
export async function launchEdge(
  { folder, program, node }: InstalledEdge,
  { listeners, identity, joinGroup, signal }: LaunchOptions,
): Promise<void> {
  const request: LaunchRequest = { folder, node, listeners, identity };
  const lines: string[] = [];
  const outcome = await run(
    {
      argv: [node, join(program, 'launch.mjs')],
      cwd: folder,
      env: {},
      onSpawned: joinGroup,
    },
    {
      signal,
      timeoutMs: LAUNCH_MS,
      input: JSON.stringify(request),
      onLine: (line) => void lines.push(line),
    },
  );
  const result = lines.map(parseResult).find((it) => it !== undefined);
  if (result?.kind === 'launched') return;
  if (result?.kind === 'failed') throw launchProblem(result);
  throw new Error(`The edge did not start (${outcome.kind}): ${lines.join('\n')}`);
}

/** In one sentence that names the variable to change. */
export function launchProblem(result: Extract<LaunchResult, { kind: 'failed' }>): Error {
  const { listener, code, text } = result;
  if (listener === undefined) return new StartProblem(text);
  const variable = VARIABLES[listener.protocol];
  const cause = Object.assign(new Error(text), { code });
  // Names who holds the port, where it is known.
  if (text.startsWith(`Port ${listener.port} is `)) {
    return new StartProblem(text.replace('Port', variable), { cause });
  }
  if (code === 'EACCES') return new StartProblem(`${variable}: ${text}`, { cause });
  return listenProblem(cause, variable, listener.port);
}

function parseResult(line: string): LaunchResult | undefined {
  try {
    const value = JSON.parse(line) as LaunchResult;
    return value.kind === 'launched' || value.kind === 'failed' ? value : undefined;
  } catch {
    return undefined;
  }
}
