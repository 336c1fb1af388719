import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const HOOKS = ['input', 'forward', 'output'];

/** Lets a node of a cluster of `startCluster` not respond, as if it were lost, until the returned function is called. Its pods run. */
export async function pauseNode(kubeconfig: string, node: string): Promise<() => void> {
  const pid = await findKubelet(kubeconfig, node);
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}

/** Drops all packets from and to a node and its pods, as if it had lost its power, until the returned function is called. */
export async function cutNode(kubeconfig: string, node: string): Promise<() => Promise<void>> {
  const pid = await findKubelet(kubeconfig, node);
  const nft = (...args: string[]) =>
    promisify(execFile)('nsenter', [`--net=/proc/${pid}/ns/net`, '--', 'nft', ...args]);
  await nft('add', 'table', 'inet', 'cut');
  for (const hook of HOOKS) {
    const rule = `{ type filter hook ${hook} priority -300; policy drop; }`;
    await nft('add', 'chain', 'inet', 'cut', hook, rule);
  }
  return async () => void (await nft('delete', 'table', 'inet', 'cut'));
}

/** Kills the API server of a cluster of `startCluster`, which then starts again: some seconds without it. */
export async function killApiServer(kubeconfig: string): Promise<void> {
  process.kill(await findApiServer(kubeconfig), 'SIGKILL');
}

/** Lets the API server not respond until the returned function is called. */
export async function pauseApiServer(kubeconfig: string): Promise<() => void> {
  const pid = await findApiServer(kubeconfig);
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}

/** Stops the controllers until the returned function is called. Then they start again, and read everything before they change anything. */
export async function stopControllers(kubeconfig: string): Promise<() => void> {
  const key = join(dirname(kubeconfig), 'tokens.key');
  const pid = await findProgram(`--service-account-private-key-file=${key}`);
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGKILL');
}

/** Kills the program of a container with SIGKILL. `own`: a variable that only this container has, as NAME=value. */
export async function killContainer(own: string): Promise<void> {
  process.kill(await findProgram(own, 'environ'), 'SIGKILL');
}

function findKubelet(kubeconfig: string, node: string): Promise<number> {
  return findProgram(`--root-dir=${join(dirname(kubeconfig), node, 'kubelet')}`);
}

function findApiServer(kubeconfig: string): Promise<number> {
  return findProgram(`--tls-cert-file=${join(dirname(kubeconfig), 'apiserver.crt')}`);
}

/** `own`: an argument or a variable that only this program of the cluster has. */
async function findProgram(own: string, file: 'cmdline' | 'environ' = 'cmdline'): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const content = await readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
    if (content.split('\0').includes(own)) return Number(name);
  }
  throw new Error(`No program with ${own}`);
}
