import { join } from 'node:path';
import type { Argv, ClusterPlan } from './cluster-supervisor.ts';

/** Addresses and names that no other cluster of this machine has. */
export type ClusterNetwork = {
  bridge: string;
  /** Of this machine, for the nodes: API server, DNS and registry. */
  address: string;
  services: string;
  nodes: ClusterNode[];
};

export type ClusterNode = {
  name: string;
  /** The device of this machine that is connected to the node. */
  device: string;
  address: string;
  pods: string;
  /** The control group of everything that runs on it. */
  controlGroup: string;
};

export const API_PORT = 6443;
const REGISTRY_PORT = 5000;
/** Of another registry, which a test may start on the address of this machine: nodes pull from it without a certificate too. */
export const OTHER_REGISTRY_PORT = 5001;
const MIRROR_PORT = 5002;
export const PAUSE_IMAGE = 'pause:1';

/** Folders that programs use whatever their settings are: a cluster has its own ones, which go with it. */
const SHARED_FOLDERS = ['/run/netns', '/var/lib/cni', '/var/lib/kubelet', '/var/log/containers'];

export type ClusterOptions = {
  folder: string;
  /** The folder with the compiled programs. */
  programs: string;
  /** The folder with the images of all tests, which nobody changes. */
  images: string;
  network: ClusterNetwork;
  /**
   * For measurements: the API server writes a line for each request of a service account to `audit.log`, controllers may send as many
   * requests as they can, and nodes may report rarely.
   */
  isMeasured: boolean;
};

/** `slot` is a small number that no other running cluster of the network namespace has. */
export function clusterNetwork(slot: number, namespace: string): ClusterNetwork {
  const nodeOf = (number: number): ClusterNode => ({
    name: `node${number}`,
    device: `lskube${slot}n${number}`,
    address: `10.98.${slot}.${10 + number}`,
    pods: `10.99.${slot * 2 + number - 1}.0/24`,
    controlGroup: `longshore-kube-${namespace}-${slot}-${number}`,
  });
  return {
    bridge: `lskube${slot}`,
    address: `10.98.${slot}.1`,
    services: `10.100.${slot}.0/24`,
    nodes: [nodeOf(1), nodeOf(2)],
  };
}

/** The files of a cluster by their path in its folder, and what runs. */
export function clusterPlan(options: ClusterOptions): {
  files: Record<string, string>;
  plan: ClusterPlan;
} {
  const { folder, network } = options;
  const nodes = network.nodes.map((node) => ({ node, at: join(folder, node.name) }));
  const argvs: Record<string, Argv> = {
    ...controlPlane(options),
    ...Object.assign({}, ...network.nodes.map((node) => nodePrograms(node, options))),
  };
  return {
    files: {
      Corefile: corefile(options),
      'audit.yaml': JSON.stringify(AUDIT),
      'registry.yaml': registryConfig({
        addr: registryHost(network),
        rootdirectory: registryStorage(options),
      }),
      'mirror.yaml': registryConfig({
        addr: mirrorHost(network),
        rootdirectory: options.images,
        isReadOnly: true,
      }),
      ...Object.assign({}, ...nodes.map(({ node, at }) => nodeFiles({ node, at }, options))),
    },
    plan: {
      setUp: [
        ['mount', '--make-rshared', '/'],
        ['mkdir', '-p', ...SHARED_FOLDERS],
        ...SHARED_FOLDERS.map((path): Argv => ['mount', '-t', 'tmpfs', 'cluster', path]),
        ...network.nodes.flatMap((node) => connectNode(node, network)),
      ],
      programs: Object.fromEntries(
        Object.entries(argvs).map(([name, argv]) => [
          name,
          { argv, logFile: join(folder, `${name}.log`) },
        ]),
      ),
    },
  };
}

function connectNode(node: ClusterNode, { bridge, address, nodes }: ClusterNetwork): Argv[] {
  const inside = (...args: string[]): Argv => ['ip', '-n', node.name, ...args];
  const others = nodes.filter(({ name }) => name !== node.name);
  return [
    ['ip', 'netns', 'add', node.name],
    ['ip', 'link', 'add', node.device, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', node.name],
    ['ip', 'link', 'set', node.device, 'master', bridge, 'up'],
    inside('address', 'add', `${node.address}/24`, 'dev', 'eth0'),
    inside('link', 'set', 'eth0', 'up'),
    inside('link', 'set', 'lo', 'up'),
    inside('route', 'add', 'default', 'via', address),
    ...others.map((other) => inside('route', 'add', other.pods, 'via', other.address)),
    ['ip', 'route', 'replace', node.pods, 'via', node.address],
    [...onNode(node), 'sysctl', '-q', '-w', 'net.ipv4.ip_forward=1'],
  ];
}

/** Not `ip netns exec`, which hides the control groups. */
function onNode({ name }: ClusterNode): Argv {
  return ['nsenter', `--net=/run/netns/${name}`, '--'];
}

/** Not of the controllers, which have accounts too. */
const AUDIT = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [
    { level: 'None', userGroups: ['system:serviceaccounts:kube-system'] },
    { level: 'Metadata', userGroups: ['system:serviceaccounts'], omitStages: ['ResponseStarted'] },
    { level: 'None' },
  ],
};

const FAST = ['--kube-api-qps=500', '--kube-api-burst=1000'];

/** A loopback address of its own, so that the ports need not be free elsewhere. */
export function etcdUrl({ address }: Pick<ClusterNetwork, 'address'>): string {
  return `http://${address.replace(/^10\./, '127.')}:2379`;
}

export function auditLog({ folder }: Pick<ClusterOptions, 'folder'>): string {
  return join(folder, 'audit.log');
}

function controlPlane({
  folder,
  programs,
  network,
  isMeasured,
}: ClusterOptions): Record<string, Argv> {
  const { address, services } = network;
  const kubernetes = join(programs, 'kubernetes');
  const file = (name: string) => join(folder, name);
  const client = etcdUrl(network);
  const peer = client.replace('2379', '2380');
  const kubeconfig = `--kubeconfig=${file('admin.conf')}`;
  return {
    etcd: [
      ...[kubernetes, 'etcd', `--data-dir=${file('etcd')}`, '--unsafe-no-fsync'],
      ...[`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`],
      ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`],
      `--initial-cluster=default=${peer}`,
    ] as unknown as Argv,
    apiserver: [
      ...[kubernetes, 'kube-apiserver', `--etcd-servers=${client}`, '--allow-privileged=true'],
      ...[`--bind-address=${address}`, `--advertise-address=${address}`],
      ...[`--secure-port=${API_PORT}`, `--service-cluster-ip-range=${services}`],
      ...[
        `--tls-cert-file=${file('apiserver.crt')}`,
        `--tls-private-key-file=${file('apiserver.key')}`,
      ],
      `--client-ca-file=${file('ca.crt')}`,
      `--kubelet-client-certificate=${file('admin.crt')}`,
      `--kubelet-client-key=${file('admin.key')}`,
      '--kubelet-preferred-address-types=InternalIP',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${file('tokens.key')}`,
      `--service-account-signing-key-file=${file('tokens.key')}`,
      '--authorization-mode=Node,RBAC',
      ...aggregation(file),
      ...(isMeasured
        ? [
            ...[`--audit-policy-file=${file('audit.yaml')}`, '--audit-log-maxsize=10000'],
            `--audit-log-path=${auditLog({ folder })}`,
          ]
        : []),
    ] as unknown as Argv,
    controllers: [
      ...[kubernetes, 'kube-controller-manager', kubeconfig, '--secure-port=0'],
      ...['--leader-elect=false', '--use-service-account-credentials'],
      `--service-account-private-key-file=${file('tokens.key')}`,
      `--root-ca-file=${file('ca.crt')}`,
      ...(isMeasured ? [...FAST, '--node-monitor-grace-period=1h'] : []),
    ] as unknown as Argv,
    scheduler: [
      ...[kubernetes, 'kube-scheduler', kubeconfig, '--secure-port=0', '--leader-elect=false'],
      ...(isMeasured ? FAST : []),
    ] as unknown as Argv,
    coredns: [join(programs, 'coredns'), '-conf', file('Corefile')],
    registry: ['docker-registry', 'serve', file('registry.yaml')],
    mirror: ['docker-registry', 'serve', file('mirror.yaml')],
  };
}

/** How the API server proves to other API servers, such as the one of usage, who sends a request. */
function aggregation(file: (name: string) => string): string[] {
  return [
    `--requestheader-client-ca-file=${file('ca.crt')}`,
    '--requestheader-allowed-names=front-proxy',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${file('front-proxy.crt')}`,
    `--proxy-client-key-file=${file('front-proxy.key')}`,
  ];
}

/** The folder with the images of the registry. */
export function registryStorage({ folder }: Pick<ClusterOptions, 'folder'>): string {
  return join(folder, 'images');
}

type RegistryOptions = { addr: string; rootdirectory: string; isReadOnly?: boolean };

/** It removes images, unless nobody may change them. */
function registryConfig({ addr, rootdirectory, isReadOnly = false }: RegistryOptions): string {
  const storage = {
    filesystem: { rootdirectory },
    maintenance: { readonly: { enabled: isReadOnly } },
    delete: { enabled: !isReadOnly },
  };
  return JSON.stringify({ version: 0.1, storage, http: { addr } });
}

export function registryHost({ address }: Pick<ClusterNetwork, 'address'>): string {
  return `${address}:${REGISTRY_PORT}`;
}

/** The registry with the images of all tests, which stands for Docker Hub. */
export function mirrorHost({ address }: Pick<ClusterNetwork, 'address'>): string {
  return `${address}:${MIRROR_PORT}`;
}

/** Without a cache: tests look up names right after they have changed. */
function corefile({ folder, network: { address } }: ClusterOptions): string {
  return `.:53 {
  bind ${address}
  errors
  kubernetes cluster.local {
    kubeconfig ${join(folder, 'admin.conf')} cluster
    ttl 0
  }
}
`;
}

function nodePrograms(
  node: ClusterNode,
  { folder, programs, network }: ClusterOptions,
): Record<string, Argv> {
  const kubernetes = join(programs, 'kubernetes');
  const at = join(folder, node.name);
  const kubeconfig = `--kubeconfig=${join(folder, 'admin.conf')}`;
  const name = `--hostname-override=${node.name}`;
  return {
    [`${node.name}-containerd`]: [
      ...onNode(node),
      ...['containerd', '--config', join(at, 'containerd.toml')],
    ],
    [`${node.name}-kubelet`]: [
      ...onNode(node),
      ...[kubernetes, 'kubelet', kubeconfig, name, `--config=${join(at, 'kubelet.yaml')}`],
      ...[`--root-dir=${join(at, 'kubelet')}`, `--node-ip=${node.address}`],
      `--cert-dir=${join(at, 'certificates')}`,
    ],
    [`${node.name}-proxy`]: [
      ...onNode(node),
      ...[kubernetes, 'kube-proxy', kubeconfig, name, '--proxy-mode=nftables'],
      `--cluster-cidr=${network.nodes.map(({ pods }) => pods)[0] ?? ''}`,
      // Only the network namespace of the machine can set the limits of connections.
      ...['--conntrack-max-per-core=0', '--conntrack-tcp-timeout-established=0s'],
      '--conntrack-tcp-timeout-close-wait=0s',
    ],
  };
}

function nodeFiles(
  { node, at }: { node: ClusterNode; at: string },
  { folder, network }: ClusterOptions,
): Record<string, string> {
  const { name, pods } = node;
  const registry = registryHost(network);
  const kubelet = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: node.address,
    healthzPort: 0,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(folder, 'ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${node.controlGroup}`,
    failCgroupV1: false,
    containerRuntimeEndpoint: `unix://${join(at, 'containerd.sock')}`,
    clusterDNS: [network.address],
    clusterDomain: 'cluster.local',
    // Not the one of the machine, whose search domains differ.
    resolvConf: '',
    failSwapOn: false,
    imageGCHighThresholdPercent: 100,
    evictionHard: {
      'memory.available': '50Mi',
      'nodefs.available': '1%',
      'imagefs.available': '1%',
    },
    volumePluginDir: join(at, 'plugins'),
    podLogsDir: join(at, 'logs'),
  };
  const cni = {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: 'pods0',
        isGateway: true,
        ipMasq: false,
        hairpinMode: true,
        ipam: {
          type: 'host-local',
          dataDir: join(at, 'addresses'),
          ranges: [[{ subnet: pods }]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
    ],
  };
  return {
    // JSON is YAML.
    [`${name}/kubelet.yaml`]: JSON.stringify(kubelet),
    [`${name}/cni/pods.conflist`]: JSON.stringify(cni),
    ...Object.fromEntries(
      [registry, mirrorHost(network), `${network.address}:${OTHER_REGISTRY_PORT}`].map((host) => [
        `${name}/hosts/${host}/hosts.toml`,
        `server = "http://${host}"\n[host."http://${host}"]\n`,
      ]),
    ),
    [`${name}/containerd.toml`]: containerdConfig(at, `${registry}/${PAUSE_IMAGE}`),
  };
}

function containerdConfig(at: string, pauseImage: string): string {
  return `version = 2
root = "${at}/containerd"
state = "${at}/state"
[grpc]
  address = "${at}/containerd.sock"
[ttrpc]
  address = "${at}/containerd-ttrpc.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "${at}/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  # Root of a container may not lower the score.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${at}/cni"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${at}/hosts"
`;
}
