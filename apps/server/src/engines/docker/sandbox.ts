import type { FetchOptions } from '../../build/fetch-source.ts';
import { isGitGroup } from '../../build/git-runner.ts';
import { type OpenSandbox, openSandbox, type SandboxOptions } from '../../sandbox/open-sandbox.ts';

/** The sandbox of this engine, for git and builders. Apps run in containers. */
export type DockerSandbox = {
  /**
   * Opened by the first call: an engine that only removes its apps, because another engine replaced it, must not touch the
   * network of the other one. When that fails, nothing is isolated, and the next call tries again.
   */
  open(signal: AbortSignal): Promise<OpenSandbox>;
  /** How git runs now. The firewall may have changed since the last time. */
  fetchOptions(signal: AbortSignal): Promise<Pick<FetchOptions, 'sandbox' | 'isNetworkBlocked'>>;
  close(): Promise<void>;
};

export function createDockerSandbox(options: SandboxOptions): DockerSandbox {
  let opening: Promise<OpenSandbox> | undefined;

  async function open(signal: AbortSignal): Promise<OpenSandbox> {
    signal.throwIfAborted();
    opening ??= openWithoutLeftovers(options).catch((error: unknown) => {
      options.logError(error);
      opening = undefined;
      return unavailable(error);
    });
    return await opening;
  }

  return {
    open,
    async fetchOptions(signal) {
      const { isolated } = await open(signal);
      // Docker usually drops packets of networks that are not its own.
      const problem = await isolated?.network.firewallProblem(signal);
      return { sandbox: isolated?.sandbox, isNetworkBlocked: problem !== undefined };
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

/** Nothing of this engine runs in its sandbox yet. What is there was left by a server that was killed. */
async function openWithoutLeftovers(options: SandboxOptions): Promise<OpenSandbox> {
  const opened = await openSandbox(options);
  const groups = opened.groups?.list().filter(isGitGroup) ?? [];
  for (const group of groups) await opened.groups?.kill(group);
  await opened.isolated?.network.adopt([]);
  return opened;
}

function unavailable(error: unknown): OpenSandbox {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    isolation: { kind: 'not-isolated', missing: [reason.replace(/\s+/g, ' ')], packages: [] },
    groups: undefined,
    idRange: undefined,
    isolated: undefined,
    close: async () => {},
  };
}
