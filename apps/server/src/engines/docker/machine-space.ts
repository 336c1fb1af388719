import { access } from 'node:fs/promises';
import { machineSpace, type SpaceLevel } from '../disk-full.ts';
import type { DockerApi } from './docker-api.ts';

/** The space of the disks that Longshore and Docker use. */
export type MachineSpace = {
  level(): Promise<SpaceLevel>;
  /** Aborts the signal when the machine is short of space. */
  watch(): { signal: AbortSignal; stop(): void };
};

const CHECK_MS = 500;

export function createMachineSpace(deps: { dataDir: string; docker: DockerApi }): MachineSpace {
  /** Asked until Docker answers. Empty: its data is on another machine. */
  let rootFolders: Promise<string[]> | undefined;

  async function level(): Promise<SpaceLevel> {
    rootFolders ??= findRootFolder(deps.docker).catch(() => {
      rootFolders = undefined;
      return [];
    });
    return await machineSpace([deps.dataDir, ...(await rootFolders)]);
  }

  return {
    level,
    watch() {
      const short = new AbortController();
      const check = () =>
        level().then(
          (found) => found === 'short' && short.abort(),
          () => {},
        );
      const timer = setInterval(check, CHECK_MS);
      timer.unref();
      void check();
      return { signal: short.signal, stop: () => clearInterval(timer) };
    },
  };
}

async function findRootFolder(docker: DockerApi): Promise<string[]> {
  const { signal } = new AbortController();
  const { DockerRootDir } = await docker.call<{ DockerRootDir: string }>('GET', '/info', {
    signal,
  });
  return await access(DockerRootDir).then(
    () => [DockerRootDir],
    () => [],
  );
}
