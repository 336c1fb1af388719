import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Lets a node of a cluster of `startCluster` not respond, as if it were lost, until the returned function is called. */
export async function pauseNode(kubeconfig: string, node: string): Promise<() => void> {
  const folder = dirname(kubeconfig);
  const pid = await findProgram(`--root-dir=${join(folder, node, 'kubelet')}`);
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}

/** Kills the API server of a cluster of `startCluster`, which then starts again: some seconds without it. */
export async function killApiServer(kubeconfig: string): Promise<void> {
  const pid = await findProgram(`--tls-cert-file=${join(dirname(kubeconfig), 'apiserver.crt')}`);
  process.kill(pid, 'SIGKILL');
}

/** `own`: an argument that only this program of the cluster has. */
async function findProgram(own: string): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const argv = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (argv.split('\0').includes(own)) return Number(name);
  }
  throw new Error(`No program with ${own}`);
}
