import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@longshore/testkit';
import { parse, parseAllDocuments } from 'yaml';
import type { KubernetesApi } from '../../../src/engines/kubernetes/kubernetes-api.ts';
import { type OpenedCluster, openCluster } from '../../../src/engines/kubernetes/open-cluster.ts';

const TEMPLATES = join(import.meta.dirname, '../../../../../deploy/chart/templates');
const FILES = ['roles.yaml', 'admission-policies.yaml'];
const NAME = 'longshore';
const SIGNAL = new AbortController().signal;

type ClusterObject = { apiVersion: string; kind: string; metadata: { name: string } };
type Kubeconfig = { users: { name: string; user: object }[] };

/** `kubeconfig`: the access of the administrator. The one of the server is written to the folder. */
type AccessOptions = { kubeconfig: string; folder: string; prefix: string };

/** Returns the path of the file with the access of the server that the chart installs. */
export async function writeServerAccess(options: AccessOptions): Promise<string> {
  const { api } = await openCluster(options);
  await openAsServer(api, options);
  return accessPath(options);
}

function accessPath({ folder }: Pick<AccessOptions, 'folder'>): string {
  return join(folder, 'server.conf');
}

/** The cluster as the server sees it that the chart installs: with the roles and policies of the chart. */
export async function openAsServer(
  admin: KubernetesApi,
  { kubeconfig, folder, prefix }: AccessOptions,
): Promise<OpenedCluster & { account: { name: string; namespace: string } }> {
  const namespace = `server-${randomUUID()}`;
  const post = <Result>(path: string, body: object) =>
    admin.call<Result>('POST', path, { body, signal: SIGNAL });
  await post('/api/v1/namespaces', { metadata: { name: namespace } });
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await post(accounts, { metadata: { name: NAME } });
  for (const file of FILES) {
    const text = render(await readFile(join(TEMPLATES, file), 'utf8'), { namespace, prefix });
    for (const document of parseAllDocuments(text)) await apply(document.toJS(), admin);
  }
  type Token = { status: { token: string } };
  const body = { spec: { expirationSeconds: 3_600 } };
  const { status } = await post<Token>(`${accounts}/${NAME}/token`, body);
  const access = parse(await readFile(kubeconfig, 'utf8')) as Kubeconfig;
  const users = access.users.map(({ name }) => ({ name, user: { token: status.token } }));
  const path = accessPath({ folder });
  await writeFile(path, JSON.stringify({ ...access, users }));
  await eventually(() => areChecked(admin, prefix), 'the policies of the chart');
  return { ...(await openCluster({ kubeconfig: path })), account: { name: NAME, namespace } };
}

/** The few expressions that these templates use. */
function render(template: string, { namespace, prefix }: { namespace: string; prefix: string }) {
  const values: [string, string][] = [
    ['{{ $account }}', `system:serviceaccount:${namespace}:${NAME}`],
    ['{{ $prefix }}', prefix],
    ['{{ include "longshore.namespacePrefix" . }}', prefix],
    ['{{ .Release.Namespace }}', namespace],
    ['{{ include "longshore.serviceAccountName" . }}', NAME],
    ['{{- include "longshore.labels" . | nindent 4 }}', '{}'],
  ];
  const rendered = values.reduce(
    (text, [expression, value]) => text.replaceAll(expression, value),
    template.replaceAll(/^\{\{- (?:\/\*|\$).*\n/gm, ''),
  );
  if (rendered.includes('{{')) throw new Error(`Not rendered: ${rendered}`);
  return rendered;
}

async function apply(object: ClusterObject, admin: KubernetesApi): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies');
  const path = `/apis/${apiVersion}/${plural}/${metadata.name}`;
  await admin.call('PATCH', path, { patch: 'apply', body: object, signal: SIGNAL });
}

/** An API server knows a new policy after a moment. */
async function areChecked(admin: KubernetesApi, prefix: string): Promise<boolean> {
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  type Policy = { status?: { observedGeneration?: number; typeChecking?: object } };
  for (const name of ['namespaces', 'role-bindings', 'builders']) {
    const path = `${policies}/${prefix}-${name}`;
    const { status } = await admin.call<Policy>('GET', path, { signal: SIGNAL });
    if (status?.observedGeneration === undefined) return false;
    if (JSON.stringify(status.typeChecking ?? {}).includes('warning')) {
      throw new Error(JSON.stringify(status.typeChecking));
    }
  }
  return true;
}
