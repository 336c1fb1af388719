import { isDeepStrictEqual } from 'node:util';
import {
  type AppRoute,
  type EdgeCertificate,
  type EdgeSettings,
  MAX_LINE_BYTES,
  type StateChange,
  type TcpRoute,
} from '@longshore/edge-contract';

/** What the edge should know. Kept in the server, to be sent again after each connect. */
export type MirroredState = {
  settings: EdgeSettings | undefined;
  routes: Map<string, AppRoute>;
  /** Of apps without an entry in `routes`. */
  newRoutes: Map<string, AppRoute>;
  tcpRoutes: Map<string, TcpRoute>;
  certificates: Map<string, EdgeCertificate>;
  challenges: Map<string, string>;
};

/** Well below the limit of a line, so that a large state does not keep either side busy for long. */
const BATCH_BYTES = MAX_LINE_BYTES / 4;

export function emptyState(): MirroredState {
  return {
    settings: undefined,
    routes: new Map(),
    newRoutes: new Map(),
    tcpRoutes: new Map(),
    certificates: new Map(),
    challenges: new Map(),
  };
}

/**
 * Merges the change, removals first, and returns what the edge has to know of it. Removals always count: the edge may
 * remember what this server never knew. Undefined: nothing changed.
 */
export function applyChange(state: MirroredState, change: StateChange): StateChange | undefined {
  for (const appId of change.removedApps ?? []) {
    state.routes.delete(appId);
    state.newRoutes.delete(appId);
  }
  for (const id of change.removedTcpRoutes ?? []) state.tcpRoutes.delete(id);
  for (const id of change.removedCertificates ?? []) state.certificates.delete(id);
  for (const token of change.removedChallenges ?? []) state.challenges.delete(token);
  const routes = addChanged(state.routes, entriesOf(change.routes, appIdOf));
  for (const { appId } of routes) state.newRoutes.delete(appId);
  const newRoutes = entriesOf(change.newRoutes, appIdOf).filter(([id]) => !state.routes.has(id));
  const { settings } = change;
  const areSettingsNew = settings !== undefined && !isDeepStrictEqual(settings, state.settings);
  if (areSettingsNew) state.settings = settings;
  return withoutEmpty({
    ...(areSettingsNew && { settings }),
    ...removalsOf(change),
    tcpRoutes: addChanged(state.tcpRoutes, entriesOf(change.tcpRoutes, idOf)),
    certificates: addChanged(state.certificates, entriesOf(change.certificates, idOf)),
    challenges: changedChallenges(state.challenges, change.challenges ?? {}),
    routes,
    newRoutes: addChanged(state.newRoutes, newRoutes),
  });
}

/** The whole state as one change. */
export function wholeState(state: MirroredState): StateChange {
  return {
    ...(state.settings && { settings: state.settings }),
    tcpRoutes: [...state.tcpRoutes.values()],
    certificates: [...state.certificates.values()],
    challenges: Object.fromEntries(state.challenges),
    routes: [...state.routes.values()],
    newRoutes: [...state.newRoutes.values()],
  };
}

/** Parts of a change that each fit into a line. Certificates come before the routes that use them. */
export function inBatches(change: StateChange, maxBytes = BATCH_BYTES): StateChange[] {
  if (Object.keys(change).length === 0) return [];
  if (sizeOf(change) <= maxBytes) return [change];
  const { settings, tcpRoutes, certificates, challenges, routes, newRoutes } = change;
  const removals = removalsOf(change);
  const { removedApps, removedTcpRoutes, removedCertificates, removedChallenges } = removals;
  return [
    ...(settings === undefined ? [] : [{ settings }]),
    ...chunks(removedApps, maxBytes).map((part) => ({ removedApps: part })),
    ...chunks(removedTcpRoutes, maxBytes).map((part) => ({ removedTcpRoutes: part })),
    ...chunks(removedCertificates, maxBytes).map((part) => ({ removedCertificates: part })),
    ...chunks(removedChallenges, maxBytes).map((part) => ({ removedChallenges: part })),
    ...chunks(certificates, maxBytes).map((part) => ({ certificates: part })),
    ...chunks(Object.entries(challenges ?? {}), maxBytes).map((part) => ({
      challenges: Object.fromEntries(part),
    })),
    ...chunks(tcpRoutes, maxBytes).map((part) => ({ tcpRoutes: part })),
    ...chunks(routes, maxBytes).map((part) => ({ routes: part })),
    ...chunks(newRoutes, maxBytes).map((part) => ({ newRoutes: part })),
  ];
}

function removalsOf(change: StateChange): StateChange {
  const { removedApps, removedTcpRoutes, removedCertificates, removedChallenges } = change;
  return {
    ...(removedApps && { removedApps }),
    ...(removedTcpRoutes && { removedTcpRoutes }),
    ...(removedCertificates && { removedCertificates }),
    ...(removedChallenges && { removedChallenges }),
  };
}

function withoutEmpty(change: StateChange): StateChange | undefined {
  const entries = Object.entries(change).filter(([, part]) => Object.keys(part).length > 0);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as StateChange);
}

const appIdOf = ({ appId }: AppRoute) => appId;
const idOf = ({ id }: { id: string }) => id;

function entriesOf<Part>(parts: Part[] | undefined, id: (part: Part) => string): [string, Part][] {
  return (parts ?? []).map((part) => [id(part), part]);
}

/** Adds the parts that differ from the known ones of the same id, and returns them. */
function addChanged<Part>(known: Map<string, Part>, parts: [string, Part][]): Part[] {
  const changed = parts.filter(([id, part]) => !isDeepStrictEqual(known.get(id), part));
  for (const [id, part] of changed) known.set(id, part);
  return changed.map(([, part]) => part);
}

function changedChallenges(known: Map<string, string>, challenges: Record<string, string>) {
  const changed = Object.entries(challenges).filter(([token, it]) => known.get(token) !== it);
  for (const [token, response] of changed) known.set(token, response);
  return Object.fromEntries(changed);
}

/** A part that is larger than the maximum is a chunk of its own. */
function chunks<Part>(parts: Part[] = [], maxBytes: number): Part[][] {
  const all: Part[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    const size = sizeOf(part);
    if (bytes + size > maxBytes) {
      all.push([]);
      bytes = 0;
    }
    all.at(-1)?.push(part);
    bytes += size;
  }
  return all;
}

function sizeOf(part: unknown): number {
  return Buffer.byteLength(JSON.stringify(part));
}
