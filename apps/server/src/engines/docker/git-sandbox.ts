import type { FetchOptions } from '../../build/fetch-source.ts';
import { isGitGroup } from '../../build/git-runner.ts';
import { type OpenSandbox, openSandbox, type SandboxOptions } from '../../sandbox/open-sandbox.ts';

/** The sandbox in which git runs. Apps and builds of this engine run in containers. */
export type GitSandbox = {
  /** How git runs now. The firewall may have changed since the last time. */
  fetchOptions(signal: AbortSignal): Promise<Pick<FetchOptions, 'sandbox' | 'isNetworkBlocked'>>;
  close(): Promise<void>;
};

/**
 * Opened by the first build: an engine that only removes its apps, because another engine replaced it, must not touch the
 * network of the other one.
 */
export function createGitSandbox(options: SandboxOptions): GitSandbox {
  let opening: Promise<OpenSandbox | undefined> | undefined;

  async function open(): Promise<OpenSandbox | undefined> {
    try {
      return await openWithoutLeftovers(options);
    } catch (error) {
      options.logError(error);
      return undefined;
    }
  }

  return {
    async fetchOptions(signal) {
      opening ??= open();
      const isolated = (await opening)?.isolated;
      // Docker usually drops packets of networks that are not its own.
      const problem = await isolated?.network.firewallProblem(signal);
      return { sandbox: isolated?.sandbox, isNetworkBlocked: problem !== undefined };
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

/** No git of this engine runs yet. Everything in the sandbox of this data directory is left from a server that was killed. */
async function openWithoutLeftovers(options: SandboxOptions): Promise<OpenSandbox> {
  const opened = await openSandbox(options);
  const groups = opened.groups?.list().filter(isGitGroup) ?? [];
  for (const group of groups) await opened.groups?.kill(group);
  await opened.isolated?.network.adopt([]);
  return opened;
}
