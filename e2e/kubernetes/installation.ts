import type { Client } from '@longshore/client';
import { type AppValues, autoDomain } from '@longshore/contract';
import type { ChartBench } from '@longshore/server/testing/chart';
import { newEmail, PASSWORD } from '../support/nhost.ts';
import { connectOwnClient } from '../support/own-client.ts';

export const INSTALL = ['--create-namespace', '--wait', '--timeout', '10m'];
/** It exits at once on SIGTERM, as many programs do. */
export const SERVES = `mkdir /tmp/site; echo hello > /tmp/site/index.html
httpd -f -p $PORT -h /tmp/site & trap 'kill $!; exit 0' TERM; wait`;
/** Drains a node, except for these components. It stays cordoned if that takes too long. */
export async function drain(
  { kubectl }: ChartBench,
  node: string,
  staying: string[],
  timeout = '240s',
) {
  const flags = [
    '--ignore-daemonsets',
    '--delete-emptydir-data',
    '--force',
    `--timeout=${timeout}`,
  ];
  const selector = `app.kubernetes.io/component notin (${staying.join(',')})`;
  await kubectl('drain', node, ...flags, `--pod-selector=${selector}`);
  await kubectl('uncordon', node);
}

/** Arguments of kubectl. */
export const SERVERS = ['-l', 'app.kubernetes.io/component=server'];

/** Signs up the first account, the operator, with the code in the log of the servers. */
export async function signUpOperator({ kubectl, urlOf }: ChartBench) {
  const log = await kubectl('logs', ...SERVERS, '--tail=-1');
  const setupCode = /set-up code ([-A-Z0-9]+)/.exec(log)?.[1] ?? '';
  const email = newEmail();
  const client = connectOwnClient(await urlOf('longshore-server'));
  await client.auth.signUp({ email, password: PASSWORD, setupCode });
  const project = await client.resources.createProject({ name: 'harbour' });
  if (!project.ok) throw new Error(project.error.message);
  return { client, email, projectId: project.id };
}

type NewApp = Pick<AppValues, 'name' | 'projectId' | 'replicas' | 'sleep'> & { script: string };

/** An app of an image that runs a shell script; it listens on $PORT. */
export async function createApp(
  client: Client,
  { registry, urlOf }: ChartBench,
  { script, ...values }: NewApp,
) {
  const { name } = values;
  await registry.publish({ name: `apps/${name}:1`, settings: { Cmd: ['sh', '-c', script] } });
  const created = await client.resources.createApp({
    ...values,
    resourceTier: 't1',
    ports: [{ number: 8080, expose: true }],
    publicAccess: { enabled: true, domain: 'auto', baseDomain: 'apps.test' },
    container: {
      image: `${registry.host}/apps/${name}:1`,
      updatePolicy: 'Always',
      pullSecretName: '',
    },
    source: { enabled: false, url: '', ref: '', secretName: '' },
    env: {},
    instances: 1,
  });
  if (!created.ok) throw new Error(created.error.message);
  const host = autoDomain({ id: created.id, name }, 'apps.test');
  return { id: created.id, url: await urlOf('longshore-edge'), host };
}

type Pod = {
  metadata: { name: string; deletionTimestamp?: string };
  spec: { nodeName?: string };
  status: { podIP?: string };
};

/** Those that are not being removed. `selector`: arguments of kubectl. */
export async function listPods({ kubectl }: ChartBench, ...selector: string[]) {
  const list = await kubectl('get', 'pods', ...selector, '-o', 'json');
  const { items } = JSON.parse(list) as { items: Pod[] };
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      node: spec.nodeName ?? '',
      address: status.podIP ?? '',
    }));
}

/** Arguments of helm. */
export function setS3(values: Record<string, string>): string[] {
  return ['--set-json', `s3=${JSON.stringify(values)}`];
}

export async function createSecret(
  { kubectl }: ChartBench,
  name: string,
  values: Record<string, string>,
): Promise<void> {
  const literals = Object.entries(values).map(([key, value]) => `--from-literal=${key}=${value}`);
  await kubectl('create', 'secret', 'generic', name, ...literals);
}

/** Its text is "a letter". */
export async function uploadFile(client: Client): Promise<string> {
  const file = new Blob(['a letter'], { type: 'text/plain' });
  const uploaded = await client.files.upload({ files: [{ file, name: 'letter.txt' }] });
  const id = uploaded.ok ? uploaded.data[0]?.id : undefined;
  if (id === undefined) throw new Error('The file was not uploaded');
  return id;
}
