import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '@longshore/testkit';
import { tryMachineLock } from '../../machine-lock.ts';
import { publishImage, type Registry } from '../docker/registry.ts';
import { openTestImages } from '../docker/test-images.ts';
import { createCertificates } from './cluster-certificates.ts';
import {
  type ClusterNetwork,
  clusterNetwork,
  clusterPlan,
  etcdUrl,
  mirrorHost,
  PAUSE_IMAGE,
  registryHost,
  registryStorage,
} from './cluster-plan.ts';
import { hasKubernetes, openKubernetesPrograms } from './kubernetes-programs.ts';

/** A real cluster of two nodes, and a registry that it pulls from. */
export type Cluster = {
  /** The path of the file with the access of its administrator. */
  kubeconfig: string;
  registry: Pick<Registry, 'host' | 'publish'>;
  /** The host of a registry with the images of all tests. */
  mirror: string;
  /** The address of its database. */
  etcd: string;
  /** Runs kubectl as its administrator; returns what it prints. */
  kubectl(...args: string[]): Promise<string>;
  stop(): Promise<void>;
};

const SLOTS = 16;
const READY_POLL_MS = 200;
const CONTROL_GROUPS = '/sys/fs/cgroup';
const SUPERVISOR = join(import.meta.dirname, 'cluster-supervisor.ts');
const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const PROGRAMS = ['containerd', 'runc', 'docker-registry', 'busybox', 'nft', 'ip', 'openssl'];
const run = promisify(execFile);

/** What prevents a cluster on this machine. */
export const missingForCluster = [
  ...(process.getuid?.() === 0 ? [] : ['root']),
  ...PROGRAMS.filter((it) => !FOLDERS.some((folder) => existsSync(join(folder, it)))),
  ...(existsSync('/usr/lib/cni/bridge') ? [] : ['containernetworking-plugins']),
  ...(hasKubernetes ? [] : ['go']),
];

/** `isMeasured`: the requests of service accounts are in the file `auditLog` of its folder. */
export async function startCluster(
  print: (line: string) => void = () => {},
  { isMeasured = false } = {},
): Promise<Cluster> {
  const programs = await openKubernetesPrograms(print);
  const { slot, release } = await acquireSlot();
  const network = clusterNetwork(slot, await networkNamespace());
  const folder = await mkdtemp(join(tmpdir(), 'longshore-kubernetes-'));
  const stops: (() => Promise<unknown>)[] = [release, () => rm(folder, { recursive: true })];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    await removeNetwork(network);
    stops.push(() => removeNetwork(network));
    await createBridge(network);
    const images = registryStorage({ folder });
    const registry: Cluster['registry'] = {
      host: registryHost(network),
      publish: (image) => publishImage(images, image),
    };
    await registry.publish({ name: PAUSE_IMAGE, settings: { Cmd: ['sleep', 'infinity'] } });
    await createCertificates(folder, network);
    await createControlGroups(network);
    stops.push(() => removeControlGroups(network));
    const testImages = await openTestImages(print);
    stops.push(await startPrograms({ folder, programs, images: testImages, network, isMeasured }));
    const kubeconfig = join(folder, 'admin.conf');
    const kubectl = async (...args: string[]) => {
      const argv = ['kubectl', `--kubeconfig=${kubeconfig}`, ...args];
      return (await run(join(programs, 'kubernetes'), argv)).stdout;
    };
    await waitUntilReady(kubectl, network, folder);
    const etcd = etcdUrl(network);
    return { kubeconfig, registry, mirror: mirrorHost(network), etcd, kubectl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function acquireSlot(): Promise<{ slot: number; release: () => Promise<void> }> {
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const release = await tryMachineLock(`kubernetes-${slot}`);
    if (release !== undefined) return { slot, release };
  }
  throw new Error(`${SLOTS} test clusters are running on this machine`);
}

/** Control groups are shared by all network namespaces, and slots are not. */
async function networkNamespace(): Promise<string> {
  return (await readlink('/proc/self/ns/net')).replaceAll(/\D/g, '');
}

async function createBridge({ bridge, address }: ClusterNetwork): Promise<void> {
  await run('ip', ['link', 'add', bridge, 'type', 'bridge']);
  await run('ip', ['address', 'add', `${address}/24`, 'dev', bridge]);
  await run('ip', ['link', 'set', bridge, 'up']);
}

/** Also what a killed test process has left. The routes go with the bridge. */
async function removeNetwork({ bridge, nodes }: ClusterNetwork): Promise<void> {
  for (const device of [bridge, ...nodes.map((node) => node.device)]) {
    await run('ip', ['link', 'delete', device]).catch(() => {});
  }
}

async function startPrograms(options: Parameters<typeof clusterPlan>[0]) {
  const { folder } = options;
  const { files, plan } = clusterPlan(options);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const planFile = join(folder, 'plan.json');
  await writeFile(planFile, JSON.stringify(plan));
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const argv = [...namespaces, '--', process.execPath, SUPERVISOR, planFile];
  const child: ChildProcess = spawn('unshare', argv, { stdio: ['pipe', 'inherit', 'inherit'] });
  const exit = once(child, 'exit');
  return async () => {
    child.stdin?.end();
    await exit;
  };
}

async function waitUntilReady(
  kubectl: Cluster['kubectl'],
  { nodes }: ClusterNetwork,
  folder: string,
): Promise<void> {
  const conditions = ['-o', 'jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}'];
  const isReady = async () => {
    await delay(READY_POLL_MS);
    return (await kubectl('get', 'nodes', ...conditions)) === nodes.map(() => 'True').join(' ');
  };
  // Pods need the account that a controller creates in each namespace.
  const hasAccount = () => kubectl('get', 'serviceaccount', 'default').then(() => true);
  try {
    await eventually(isReady, 'two nodes');
    await eventually(hasAccount, 'the service account');
  } catch (error) {
    throw new Error(`The cluster did not start: ${await lastLines(folder)}`, { cause: error });
  }
}

async function lastLines(folder: string): Promise<string> {
  const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  const ends = logs.map(async (name) => {
    const lines = (await readFile(join(folder, name), 'utf8')).trim().split('\n');
    return `${name}: ${lines.slice(-2).join('\n')}`;
  });
  return (await Promise.all(ends)).join('\n');
}

/** With version 1 there is a hierarchy for each controller. */
async function hierarchies(): Promise<string[]> {
  if (existsSync(join(CONTROL_GROUPS, 'cgroup.controllers'))) return [CONTROL_GROUPS];
  return (await readdir(CONTROL_GROUPS)).map((name) => join(CONTROL_GROUPS, name));
}

async function createControlGroups({ nodes }: ClusterNetwork): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    for (const { controlGroup } of nodes) {
      const group = join(hierarchy, controlGroup);
      await mkdir(group, { recursive: true });
      // No process can join a new group of this controller before these are set.
      for (const file of ['cpuset.cpus', 'cpuset.mems']) {
        if (!existsSync(join(group, file)) || !hierarchy.endsWith('cpuset')) continue;
        await writeFile(join(group, file), await readFile(join(hierarchy, file)));
      }
    }
  }
}

async function removeControlGroups({ nodes }: ClusterNetwork): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    for (const { controlGroup } of nodes) {
      const group = join(hierarchy, controlGroup);
      // The kernel needs a moment after the last process of a group has ended.
      await eventually(() => removeTree(group), `removed ${group}`);
    }
  }
}

async function removeTree(group: string): Promise<boolean> {
  if (!existsSync(group)) return true;
  const children = await readdir(group, { withFileTypes: true });
  for (const child of children.filter((it) => it.isDirectory())) {
    await removeTree(join(group, child.name));
  }
  return await rmdir(group).then(
    () => true,
    () => false,
  );
}
