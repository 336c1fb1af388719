import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CachedFolder, cachedFolderPath, openCachedFolder } from '../../cached-folder.ts';

const KUBERNETES = '1.34.4';
const ETCD = 'v3.6.4';
const COREDNS = 'v1.15.0';
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

/** Each is one Go module, whose source is in the folder of this name. */
const MODULES: Record<string, { output: string; require: string[]; flags: string }> = {
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

const PROGRAMS: CachedFolder = {
  name: 'kubernetes',
  key: `${KUBERNETES}-${fingerprint()}-${process.arch}`,
  fill: compile,
};

const isCompiled = () => existsSync(cachedFolderPath(PROGRAMS));

/** Whether Kubernetes is compiled, or can be. */
export const hasKubernetes =
  isCompiled() || PATH.split(':').some((folder) => existsSync(join(folder, 'go')));

/** The folder with `kubernetes` and `coredns`, compiled from Go's module proxy once per machine. */
export async function openKubernetesPrograms(print: (line: string) => void): Promise<string> {
  if (isCompiled()) return await openCachedFolder(PROGRAMS);
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  print(`Compiling Kubernetes ${KUBERNETES}, once per machine: takes 7 to 30 minutes`);
  const progress = () => print(`Still compiling Kubernetes, ${seconds()} s`);
  const timer = setInterval(progress, PROGRESS_MS).unref();
  try {
    return await openCachedFolder(PROGRAMS);
  } finally {
    clearInterval(timer);
    print(`Compiled Kubernetes in ${seconds()} s`);
  }
}

function fingerprint(): string {
  const hash = createHash('sha256').update(JSON.stringify(MODULES));
  for (const name of Object.keys(MODULES))
    hash.update(readFileSync(join(SOURCES, name, 'main.go')));
  return hash.digest('hex').slice(0, 12);
}

async function compile(folder: string): Promise<void> {
  for (const [name, { output, require, flags }] of Object.entries(MODULES)) {
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
async function go(cwd: string, args: string[]): Promise<void> {
  const env = { ...ENV, PATH, CGO_ENABLED: '0', GOFLAGS: '' };
  const options = { cwd, env, maxBuffer: OUTPUT_BYTES };
  await promisify(execFile)('nice', ['-n', '19', 'go', ...args], options);
}
