import type { Address, EdgeMessage, ListenerInfo, StateChange } from '@longshore/edge-contract';

/** The reverse proxy in front of the apps: a process of its own, which keeps serving while no server runs. */
export type Edge = {
  /** Merges into the mirrored state and pushes the difference. */
  change(change: StateChange): void;
  /** Resolves when no request uses the target any more, or after the timeout. */
  drained(target: Address, timeoutMs: number): Promise<void>;
  /** Resolves when requests follow all changes so far, or after the timeout. At once if it cannot be reached. */
  applied(timeoutMs: number): Promise<void>;
  /** It reports the app as idle if it is idle now. */
  askIdle(appId: string): void;
  /** The app may not wake now: its held requests are refused. */
  refuseWake(appId: string): void;
  /** Answers a message `counters`: the edge forgets them. */
  countersStored(run: string, batch: number): void;
  /** The mirrored state is complete: the edge drops everything else, such as apps deleted while no server ran. */
  complete(): void;
  /** Messages about apps: wake, idle, access, counters, report. */
  on<Kind extends EdgeMessage['kind']>(kind: Kind, listener: EdgeListener<Kind>): void;
  /** Where it listens. */
  listeners(): ListenerInfo[];
  /** For the operator. */
  health(): EdgeHealth;
  /** Closes the connection; the edge keeps running. */
  stop(): Promise<void>;
};

export type EdgeListener<Kind extends EdgeMessage['kind']> = (
  message: Extract<EdgeMessage, { kind: Kind }>,
) => void;

/** Undefined: there is no connection. */
export type EdgeHealth = { build: string; workers: number } | undefined;
