import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DockerEngine } from '../../../src/engines/docker/engine.ts';
import {
  type DockerEngineDeps,
  type PreparedDockerEngine,
  prepareDockerEngine,
} from '../../../src/engines/docker/prepare-engine.ts';
import type { Instance, ReleaseSpec } from '../../../src/engines/engine.ts';
import { noSourceCredentials } from '../../../src/engines/source-credentials.ts';
import { endApps } from '../../end-apps.ts';
import { createFakeLogSink } from '../fake-log-sink.ts';
import { createEngineBench, type EngineBench } from '../process/engine-bench.ts';
import { TEST_NETWORK } from '../process/test-network.ts';
import { NODE_IMAGE, SHELL_IMAGE } from './base-image.ts';
import { type DaemonOptions, type DockerDaemon, startDockerDaemon } from './docker-daemon.ts';
import { type Registry, startTestImages, type TestImages } from './registry.ts';

/** Docker engines on a separate Docker daemon, and the log lines of the engines. */
export type DockerBench = {
  daemon: DockerDaemon;
  deps: DockerEngineDeps;
  images: TestImages;
  /** The settings of an operator with or without this registry, which builders reach although it is on loopback. */
  registriesWith(own?: Pick<Registry, 'host'>): DockerEngineDeps['registries'];
  /** Lines as `[name]: text`. */
  lines: string[];
  errors: unknown[];
  repositories: EngineBench;
  /** One at a time: engines of one installation would replace each other's firewall and builders. */
  engine(changes?: Partial<DockerEngineDeps>): Promise<PreparedDockerEngine>;
  /** An engine of another installation, at any time. */
  otherEngine(changes?: Partial<DockerEngineDeps>): Promise<PreparedDockerEngine>;
  /** A new app whose Dockerfile has these lines after its FROM line. */
  spec(dockerfile: string[], changes?: Partial<ReleaseSpec>): Promise<ReleaseSpec>;
  closeEngines(): Promise<void>;
  clear(): Promise<void>;
};

/** How long a build may take. On a busy machine its builder starts late. */
export const BUILD_MS = 120_000;
export const SIGNAL = new AbortController().signal;
export const SERVE = ['sh', '-c', 'echo ready; exec httpd -f -p $PORT'];
export const SERVES = `CMD ${JSON.stringify(SERVE)}`;

export async function createDockerBench({
  registry,
  ...options
}: DaemonOptions & { registry?: Registry } = {}): Promise<DockerBench> {
  const daemon = await startDockerDaemon(options);
  const images = await startTestImages();
  const repositories = await createEngineBench();
  const dataDir = await mkdtemp(join(tmpdir(), 'longshore-home-'));
  await chmod(dataDir, 0o711);
  const registriesWith = (own?: Pick<Registry, 'host'>) => ({
    registry: own && { host: own.host, path: '', isInsecure: true },
    mirror: { host: images.host, isPlainHttp: true },
  });
  const lines: string[] = [];
  const errors: unknown[] = [];
  const deps: DockerEngineDeps = {
    docker: daemon.api,
    clock: Date,
    installation: randomUUID(),
    network: TEST_NETWORK,
    logs: createFakeLogSink((text, name) => lines.push(`[${name}]: ${text}`)),
    limits: { listenTimeoutMs: 20_000, graceSeconds: 2, buildMs: BUILD_MS },
    dataDir,
    isRoot: process.getuid?.() === 0,
    allowLocalSources: true,
    credentials: noSourceCredentials,
    nodeImage: NODE_IMAGE,
    builderImage: images.builderImage,
    // Tests run while others use all processors.
    builderPriority: { lower: async () => ({ join: async () => {}, end() {} }) },
    registries: registriesWith(registry),
    logError: (error) => errors.push(error),
  };
  const engines: DockerEngine[] = [];
  const dataDirs = new Set<string>();
  async function createEngine(
    changes: Partial<DockerEngineDeps> = {},
  ): Promise<PreparedDockerEngine> {
    const created = await prepareDockerEngine({ ...deps, ...changes });
    engines.push(created);
    dataDirs.add(changes.dataDir ?? dataDir);
    return created;
  }
  async function closeEngines(): Promise<void> {
    await Promise.all(engines.splice(0).map((created) => created.close()));
  }
  return {
    daemon,
    deps,
    images,
    registriesWith,
    lines,
    errors,
    repositories,
    engine: createEngine,
    async otherEngine(changes) {
      const installation = randomUUID();
      const ownDataDir = join(dataDir, installation);
      return await createEngine({ installation, dataDir: ownDataDir, ...changes });
    },
    async spec(dockerfile, changes) {
      const Dockerfile = [`FROM ${SHELL_IMAGE}`, ...dockerfile, ''].join('\n');
      return repositories.spec(await repositories.repository({ Dockerfile }), changes);
    },
    closeEngines,
    async clear() {
      await closeEngines();
      await daemon.stop();
      // Of apps that the test did not remove.
      for (const folder of dataDirs) await endApps(folder);
      await images.stop();
      await repositories.clear();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function buildAndStart(engine: DockerEngine, spec: ReleaseSpec): Promise<Instance> {
  await engine.build(spec, () => {}, SIGNAL);
  const started = await engine.startInstance(spec, SIGNAL);
  return (await engine.waitUntilListening(started, spec, SIGNAL)).instance;
}
