import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { type CachedFolder, cachedFolderPath, openCachedFolder } from '../../cached-folder.ts';

const KUBERNETES = '1.34.4';
const ETCD = 'v3.6.4';
const COREDNS = 'v1.15.0';
const METRICS_SERVER = 'v0.9.0';
const KWOK = 'v0.8.0';
/** What happens to nodes and pods, as files of kwok. */
const KWOK_STAGES = [
  'node/fast/node-initialize.yaml',
  'node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
  'pod/fast/pod-ready.yaml',
  'pod/fast/pod-delete.yaml',
];
const STAGING_VERSION = `v0.${KUBERNETES.slice(2)}`;
const SOURCES = join(import.meta.dirname, 'programs');
const PROGRESS_MS = 30_000;
const OUTPUT_BYTES = 16 * 1024 ** 2;
// biome-ignore lint/style/noProcessEnv: Go and its proxy are set up by the machine.
const ENV = process.env;
const PATH = `${ENV.PATH}:/usr/local/go/bin`;

/** `k8s.io/kubernetes` requires each of these at version 0.0.0: it has to be replaced by the version of the same release. */
const STAGING = [
  'api',
  'apiextensions-apiserver',
  'apimachinery',
  'apiserver',
  'cli-runtime',
  'client-go',
  'cloud-provider',
  'cluster-bootstrap',
  'code-generator',
  'component-base',
  'component-helpers',
  'controller-manager',
  'cri-api',
  'cri-client',
  'csi-translation-lib',
  'dynamic-resource-allocation',
  'endpointslice',
  'externaljwt',
  'kms',
  'kube-aggregator',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubectl',
  'kubelet',
  'metrics',
  'mount-utils',
  'pod-security-admission',
  'sample-apiserver',
  'sample-cli-plugin',
  'sample-controller',
];

type Module = { output: string; require: string[]; flags: string };

/** Each is one Go module, whose source is in the folder of this name. */
const MODULES: Record<string, Module> = {
  cluster: {
    output: 'kubernetes',
    require: [
      `require go.etcd.io/etcd/server/v3 ${ETCD}`,
      `require k8s.io/kubernetes v${KUBERNETES}`,
      ...STAGING.map((name) => `replace k8s.io/${name} => k8s.io/${name} ${STAGING_VERSION}`),
    ],
    flags: `-s -w -X k8s.io/component-base/version.gitVersion=v${KUBERNETES}`,
  },
  dns: {
    output: 'coredns',
    require: [`require github.com/coredns/coredns ${COREDNS}`],
    flags: '-s -w',
  },
};

/** Not one of the others, which take long to compile again. */
const METRICS_MODULES: Record<string, Module> = {
  metrics: {
    output: 'metrics-server',
    require: [`require sigs.k8s.io/metrics-server ${METRICS_SERVER}`],
    flags: '-s -w',
  },
};

const PROGRAMS: CachedFolder = {
  name: 'kubernetes',
  key: `${KUBERNETES}-${fingerprint(MODULES)}-${process.arch}`,
  fill: (folder) => compile(folder, MODULES),
};
const METRICS_PROGRAMS: CachedFolder = {
  name: 'metrics-server',
  key: `${METRICS_SERVER}-${fingerprint(METRICS_MODULES)}-${process.arch}`,
  fill: (folder) => compile(folder, METRICS_MODULES),
};

const KWOK_PROGRAMS: CachedFolder = {
  name: 'kwok',
  key: `${KWOK}-${process.arch}`,
  async fill(folder) {
    await go(folder, ['install', `sigs.k8s.io/kwok/cmd/kwok@${KWOK}`], { GOBIN: folder });
    const module = await go(folder, ['mod', 'download', '-json', `sigs.k8s.io/kwok@${KWOK}`]);
    const { Dir } = JSON.parse(module) as { Dir: string };
    for (const stage of KWOK_STAGES) {
      await cp(join(Dir, 'kustomize/stage', stage), join(folder, basename(stage)));
    }
  },
};

const isCompiled = (programs: CachedFolder) => existsSync(cachedFolderPath(programs));
const hasGo = PATH.split(':').some((folder) => existsSync(join(folder, 'go')));

/** Whether Kubernetes is compiled, or can be. */
export const hasKubernetes = isCompiled(PROGRAMS) || hasGo;

/** The folder with `kubernetes` and `coredns`, compiled from Go's module proxy once per machine. */
export async function openKubernetesPrograms(print: (line: string) => void): Promise<string> {
  return await openPrograms(PROGRAMS, `Kubernetes ${KUBERNETES}`, print);
}

/** The folder with `metrics-server`. */
export async function openMetricsServer(print: (line: string) => void): Promise<string> {
  return await openPrograms(METRICS_PROGRAMS, `the Metrics Server ${METRICS_SERVER}`, print);
}

/** `kwok`, which simulates nodes and their pods, and its files with what happens to them. */
export async function openKwok(
  print: (line: string) => void,
): Promise<{ program: string; stages: string[] }> {
  const folder = await openPrograms(KWOK_PROGRAMS, `kwok ${KWOK}`, print);
  const stages = KWOK_STAGES.map((stage) => join(folder, basename(stage)));
  return { program: join(folder, 'kwok'), stages };
}

async function openPrograms(
  programs: CachedFolder,
  what: string,
  print: (line: string) => void,
): Promise<string> {
  if (isCompiled(programs)) return await openCachedFolder(programs);
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  print(`Compiling ${what}, once per machine: takes 7 to 30 minutes`);
  const progress = () => print(`Still compiling ${what}, ${seconds()} s`);
  const timer = setInterval(progress, PROGRESS_MS).unref();
  try {
    return await openCachedFolder(programs);
  } finally {
    clearInterval(timer);
    print(`Compiled ${what} in ${seconds()} s`);
  }
}

function fingerprint(modules: Record<string, Module>): string {
  const hash = createHash('sha256').update(JSON.stringify(modules));
  for (const name of Object.keys(modules))
    hash.update(readFileSync(join(SOURCES, name, 'main.go')));
  return hash.digest('hex').slice(0, 12);
}

async function compile(folder: string, modules: Record<string, Module>): Promise<void> {
  for (const [name, { output, require, flags }] of Object.entries(modules)) {
    const source = join(folder, name);
    await cp(join(SOURCES, name), source, { recursive: true });
    const lines = [`module longshore.dev/test-${name}`, 'go 1.24.0', ...require, ''];
    await writeFile(join(source, 'go.mod'), lines.join('\n'));
    await go(source, ['mod', 'tidy']);
    const options = ['-p', '2', '-trimpath', '-buildvcs=false', '-ldflags', flags];
    await go(source, ['build', ...options, '-o', join(folder, output), '.']);
    await rm(source, { recursive: true });
  }
}

/** With the lowest priority, because others use the machine meanwhile. */
async function go(cwd: string, args: string[], settings: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = { ...ENV, PATH, CGO_ENABLED: '0', GOFLAGS: '', ...settings };
  const options = { cwd, env, maxBuffer: OUTPUT_BYTES };
  return (await promisify(execFile)('nice', ['-n', '19', 'go', ...args], options)).stdout;
}
