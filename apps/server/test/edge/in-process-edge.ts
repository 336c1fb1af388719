import { createIngress } from '@longshore/edge/testing';
import type { AppRoute, EdgeMessage, ListenerInfo } from '@longshore/edge-contract';
import type { Edge, EdgeListener } from '../../src/edge/edge.ts';
import { applyChange, emptyState } from '../../src/edge/edge-state.ts';

type InProcessEdgeDeps = Omit<Parameters<typeof createIngress>[0], 'wake' | 'hibernate'>;

/** An edge inside this process. */
export function createInProcessEdge(deps: InProcessEdgeDeps): Edge & { listen(): Promise<void> } {
  const state = emptyState();
  const listenersOf = new Map<EdgeMessage['kind'], Set<(message: never) => void>>();
  const refusals = new Map<string, (result: 'done' | 'refused') => void>();
  const listeners: ListenerInfo[] = [];
  const ingress = createIngress({
    ...deps,
    wake: (appId) =>
      new Promise((resolve) => {
        refusals.set(appId, resolve);
        emit({ kind: 'wake', appId });
      }),
    hibernate: async (appId) => emit({ kind: 'idle', appId }),
  });

  function emit(message: EdgeMessage): void {
    for (const listener of listenersOf.get(message.kind) ?? []) listener(message as never);
  }

  function set({ appId, hosts, state, sleepAfterMs, policy }: AppRoute): void {
    refusals.get(appId)?.('done');
    refusals.delete(appId);
    const targets = state.kind === 'live' ? state.targets.filter((it) => 'port' in it) : [];
    const route = state.kind === 'live' ? { kind: state.kind, targets, sleepAfterMs } : state;
    ingress.routes.set(appId, hosts, { ...route, policy });
  }

  return {
    change(change) {
      const difference = applyChange(state, change);
      for (const appId of difference?.removedApps ?? []) ingress.routes.remove(appId);
      for (const route of difference?.newRoutes ?? []) set(route);
      for (const route of difference?.routes ?? []) set(route);
    },
    drained: ingress.drained,
    async applied() {},
    askIdle() {},
    refuseWake: (appId) => refusals.get(appId)?.('refused'),
    countersStored() {},
    complete() {},
    on<Kind extends EdgeMessage['kind']>(kind: Kind, listener: EdgeListener<Kind>) {
      listenersOf.set(kind, (listenersOf.get(kind) ?? new Set()).add(listener));
    },
    listeners: () => listeners,
    health: () => undefined,
    async listen() {
      const { port } = await ingress.listen();
      listeners.push({ protocol: 'http', host: deps.host, port });
    },
    stop: () => ingress.stop(),
  };
}
