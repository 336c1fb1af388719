import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DockerEngine } from '../../../src/engines/docker/engine.ts';
import {
  type DockerEngineDeps,
  prepareDockerEngine,
} from '../../../src/engines/docker/prepare-engine.ts';
import type { Instance, ReleaseSpec } from '../../../src/engines/engine.ts';
import { noSourceCredentials } from '../../../src/engines/source-credentials.ts';
import { createFakeLogSink } from '../fake-log-sink.ts';
import { createEngineBench, type EngineBench } from '../process/engine-bench.ts';
import { TEST_NETWORK } from '../process/test-network.ts';
import { importShellImage, NODE_IMAGE, SHELL_IMAGE } from './base-image.ts';
import { type DaemonOptions, type DockerDaemon, startDockerDaemon } from './docker-daemon.ts';

/** Docker engines on a separate Docker daemon, and the log lines of the engines. */
export type DockerBench = {
  daemon: DockerDaemon;
  deps: DockerEngineDeps;
  /** Lines as `[name]: text`. */
  lines: string[];
  errors: unknown[];
  repositories: EngineBench;
  engine(changes?: Partial<DockerEngineDeps>): Promise<DockerEngine>;
  /** A new app whose Dockerfile has these lines after its FROM line. */
  spec(dockerfile: string[], changes?: Partial<ReleaseSpec>): Promise<ReleaseSpec>;
  closeEngines(): Promise<void>;
  clear(): Promise<void>;
};

export const SIGNAL = new AbortController().signal;
export const SERVES = 'CMD ["sh", "-c", "echo ready; exec httpd -f -p $PORT"]';

export async function createDockerBench(options?: DaemonOptions): Promise<DockerBench> {
  const daemon = await startDockerDaemon(options);
  await importShellImage(daemon.api);
  const repositories = await createEngineBench();
  const dataDir = await mkdtemp(join(tmpdir(), 'longshore-home-'));
  await chmod(dataDir, 0o711);
  const lines: string[] = [];
  const errors: unknown[] = [];
  const deps: DockerEngineDeps = {
    docker: daemon.api,
    clock: Date,
    installation: randomUUID(),
    network: TEST_NETWORK,
    logs: createFakeLogSink((text, name) => lines.push(`[${name}]: ${text}`)),
    limits: { listenTimeoutMs: 20_000, graceSeconds: 2, buildMs: 60_000 },
    dataDir,
    isRoot: process.getuid?.() === 0,
    allowLocalSources: true,
    credentials: noSourceCredentials,
    nodeImage: NODE_IMAGE,
    logError: (error) => errors.push(error),
  };
  const engines: DockerEngine[] = [];
  async function closeEngines(): Promise<void> {
    await Promise.all(engines.splice(0).map((created) => created.close()));
  }
  return {
    daemon,
    deps,
    lines,
    errors,
    repositories,
    async engine(changes = {}) {
      const created = await prepareDockerEngine({ ...deps, ...changes });
      engines.push(created);
      return created;
    },
    async spec(dockerfile, changes) {
      const Dockerfile = [`FROM ${SHELL_IMAGE}`, ...dockerfile, ''].join('\n');
      return repositories.spec(await repositories.repository({ Dockerfile }), changes);
    },
    closeEngines,
    async clear() {
      await closeEngines();
      await daemon.stop();
      await repositories.clear();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function buildAndStart(engine: DockerEngine, spec: ReleaseSpec): Promise<Instance> {
  await engine.build(spec, () => {}, SIGNAL);
  const instance = await engine.startInstance(spec, SIGNAL);
  await engine.waitUntilListening(instance, spec, SIGNAL);
  return instance;
}
