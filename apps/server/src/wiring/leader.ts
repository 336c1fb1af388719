import type { CertificateStatus } from '@longshore/contract';
import type { Engine } from '../engines/engine.ts';
import type { HttpServerDeps } from '../http/server.ts';
import type { Isolation } from '../sandbox/isolation.ts';
import type { StartSummary } from '../terminal/start-summary.ts';
import type { RuntimeParts } from './app-runtime.ts';
import type { DataDirectory } from './data-directory.ts';
import type { LeaderServices } from './leader-services.ts';
import type { ServerContext } from './server-context.ts';

/** What runs apps, in this server or in another one on its database. */
export type Leader = {
  services: LeaderServices;
  isolation(): Promise<Isolation>;
  engine: Pick<Engine, 'kind' | 'hasProjectNetwork'>;
  engineSummary: StartSummary['engine'];
  certificateOf(host: string): Pick<CertificateStatus, 'state'>;
  /** Lets the edge serve the console, if it should. */
  serveConsole(served: HttpServerDeps): Promise<void>;
  /** Makes apps reachable, and keeps those reachable that are. */
  start(): Promise<void>;
};

export type OpenLeader = (
  context: ServerContext,
  dataDirectory: DataDirectory,
  parts: RuntimeParts,
) => Promise<Leader>;
