import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Lets a node of a cluster of `startCluster` not respond, as if it were lost, until the returned function is called. */
export async function pauseNode(kubeconfig: string, node: string): Promise<() => void> {
  const pid = await findKubelet(dirname(kubeconfig), node);
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}

async function findKubelet(folder: string, node: string): Promise<number> {
  const own = `--root-dir=${join(folder, node, 'kubelet')}`;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const argv = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (argv.split('\0').includes(own)) return Number(name);
  }
  throw new Error(`No kubelet of ${node}`);
}
