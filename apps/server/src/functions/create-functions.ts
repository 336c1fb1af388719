import { mkdir } from 'node:fs/promises';
import { SERVICE_PATHS } from '@longshore/contract';
import type { Hono } from 'hono';
import { createFunctionHost, type FunctionHost } from './function-host.ts';
import type { WorkerDeps } from './function-worker.ts';
import { createFunctionsService, type FunctionsServiceDeps } from './service.ts';

export type FunctionsOptions = WorkerDeps & Pick<FunctionsServiceDeps, 'folder' | 'resolveCaller'>;

export type Functions = { service: Hono; host: FunctionHost; stop(): Promise<void> };

/** Serves the operator's functions at the paths of their files. */
export async function createFunctions(options: FunctionsOptions): Promise<Functions> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const { folder, resolveCaller, ...workerDeps } = options;
  const host = createFunctionHost(workerDeps);
  const paths = SERVICE_PATHS.functions;
  const service = createFunctionsService({ folder, host, paths, resolveCaller });
  return { service, host, stop: host.stop };
}
