import { lookup } from 'node:dns/promises';
import { join } from 'node:path';
import { type ListenerInfo, monotonicClock } from '@longshore/edge-contract';
import type { Config } from '../config.ts';
import { listenProblem } from '../lifecycle/start-problem.ts';
import { type ServiceGroup, serviceGroup } from '../processes/control-groups/service-group.ts';
import { type Identity, NOBODY } from '../processes/identity.ts';
import { edgeId } from '../sandbox/id-range.ts';
import { installationOf, readIdRange } from '../sandbox/open-sandbox.ts';
import { type ControlTarget, connectToEdge } from './control-connection.ts';
import type { Edge } from './edge.ts';
import { createEdgeClient } from './edge-client.ts';
import { killKeepers } from './edge-processes.ts';
import { edgeSettings } from './edge-settings.ts';
import { type InstalledEdge, installEdge, removeOldPrograms } from './install-edge.ts';
import { launchEdge } from './launch-edge.ts';
import { openRemoteEdges } from './remote-edges.ts';

const DIST = join(import.meta.dirname, '../../../edge/dist');

export type EdgeOptions = {
  config: Pick<
    Config,
    | 'consoleHost'
    | 'dataDir'
    | 'edge'
    | 'edgeHost'
    | 'edgeTrustedProxies'
    | 'ingressPort'
    | 'httpsPort'
    | 'network'
    | 'proxyProtocol'
    | 'publicUrl'
    | 'remoteEdges'
  >;
  dataDir: string;
  isRoot: boolean;
  signal: AbortSignal;
};

/** The edge of this installation, ready to be started. */
export type OwnEdge = {
  installed: InstalledEdge;
  target: ControlTarget;
  listeners: ListenerInfo[];
  /** Undefined: it runs as the user of the server. */
  identity: Identity | undefined;
  /** Starts it. In a service of the machine, it stays in the control group of that service. */
  launch(group: 'own' | 'inherited'): Promise<void>;
};

/** Installs the programs of the edge. */
export async function prepareEdge(options: EdgeOptions): Promise<OwnEdge> {
  const { config, dataDir, isRoot, signal } = options;
  const installation = installationOf(dataDir);
  const identity = isRoot ? await edgeIdentity(installation) : undefined;
  const installed = await installEdge({
    dataDir,
    keysFolder: join(config.dataDir, 'keys'),
    dist: DIST,
    nodePath: process.execPath,
    identity,
  });
  const { folder, secret } = installed;
  const listeners = await configuredListeners(config);
  return {
    installed,
    target: { folder, secret, installation },
    listeners,
    identity,
    async launch(group) {
      const own = group === 'own' && isRoot ? edgeGroup(dataDir) : undefined;
      await launchEdge(installed, { listeners, identity, joinGroup: own?.join, signal });
    },
  };
}

/** The connection of the server to its edge. Nothing happens before `start`. */
export async function openEdge(
  options: EdgeOptions & { log(level: 'info' | 'warn' | 'error', text: string): void },
): Promise<Edge & { identity: Identity | undefined; start(): Promise<void> }> {
  const { config, dataDir, log } = options;
  const settings = edgeSettings(config);
  if (config.remoteEdges !== undefined) {
    const listeners = await configuredListeners(config);
    const installation = installationOf(dataDir);
    const edges = openRemoteEdges({ edges: config.remoteEdges, installation, listeners, log });
    edges.change({ settings });
    return { ...edges, identity: undefined };
  }
  const { installed, target, listeners, identity, launch } = await prepareEdge(options);
  const client = createEdgeClient({
    connect: (onMessage) => connectToEdge(target, onMessage),
    killHanging: () => killKeepers(target.folder),
    launch: config.edge === 'auto' ? () => launch('own') : undefined,
    wanted: { ...installed, listeners },
    clock: monotonicClock,
    log,
  });
  client.change({ settings });
  return {
    ...client,
    identity,
    async start() {
      await client.start();
      if (client.health()?.build === installed.build) await removeOldPrograms(installed);
    },
  };
}

/** After the edge has ended. */
export async function removeEdgeGroup(dataDir: string): Promise<void> {
  await edgeGroup(dataDir).remove();
}

/** Beside the group of apps, which the engine clears at each start. */
function edgeGroup(dataDir: string): ServiceGroup {
  return serviceGroup(`longshore-edge-${installationOf(dataDir)}`);
}

async function edgeIdentity(installation: string): Promise<Identity> {
  const range = await readIdRange();
  const id = range === undefined ? NOBODY : edgeId(range, installation);
  return { uid: id, gid: id };
}

/** As the edge reports them: with the address of a host name. */
async function configuredListeners({
  edgeHost,
  ingressPort,
  httpsPort,
}: EdgeOptions['config']): Promise<ListenerInfo[]> {
  const { address } = await lookup(edgeHost).catch((error) => {
    throw listenProblem(error, 'LONGSHORE_INGRESS_PORT', ingressPort);
  });
  const http: ListenerInfo = { protocol: 'http', host: address, port: ingressPort };
  if (httpsPort === undefined) return [http];
  return [http, { protocol: 'https', host: address, port: httpsPort }];
}
