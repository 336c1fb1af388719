import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@longshore/client';
import {
  type ChartBench,
  createChartBench,
  missingForCluster,
} from '@longshore/server/testing/chart';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../support/longshore.ts';
import { PASSWORD } from '../support/nhost.ts';
import { connectOwnClient } from '../support/own-client.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { createApp, INSTALL, setS3, signUpOperator, uploadFile } from './installation.ts';
import { expectNoFailures, get, startSteadyRequests } from './steady-requests.ts';

/** Without a cluster, Helm assumes an old one. */
const VERSION = ['--kube-version', '1.34.4'];
const CREATE_MS = 900_000;
const CHART = join(ROOT, 'deploy/chart');
/** JSON is YAML. */
const FIRST_VALUES = join(import.meta.dirname, 'first-chart-values.json');
const WAIT = ['--wait', '--timeout', '10m'];

describe.skipIf(missingForCluster.length > 0)('the Helm chart', () => {
  let bench: ChartBench;
  beforeAll(async () => {
    bench = await createChartBench();
  }, CREATE_MS);
  afterAll(() => bench?.stop(), 120_000);

  const template = (...values: string[]) =>
    bench.helm('template', 'longshore', ...bench.values('1'), ...VERSION, ...values);

  it('accepts its values, and refuses unknown ones', async () => {
    expect(await bench.helm('lint', '--strict', ...bench.values('1'), ...VERSION)).toContain(
      '0 chart(s) failed',
    );
    expect(await template()).toContain('helm.sh/resource-policy: keep');
    expect(await template('--set', 'keepData=false')).not.toContain('resource-policy');
    const own = await template('--set', 'database.existingSecret=db');
    expect(own).not.toContain('StatefulSet');
    expect(own).toMatch(/name: DATABASE_URL\s+valueFrom:\s+secretKeyRef:\s+name: db\s+key: url/);
    const ingresses = await template(
      '--set',
      'ingress.console.enabled=true,ingress.apps.enabled=true',
    );
    expect(ingresses.match(/^ {4}- host: .+/gm)).toEqual([
      '    - host: "console.test"',
      '    - host: "*.apps.test"',
    ]);
    await expect(template('--set', 'edge.replica=2')).rejects.toThrow(
      "additional properties 'replica' not allowed",
    );
    await expect(template('--set', 'publicUrl=console.test')).rejects.toThrow('/publicUrl');
  });

  it('gives several servers shared state and no volume, and names what they lack', async () => {
    const several = await template(
      '--set',
      'server.replicas=3',
      ...setS3(await bench.objectStore()),
    );
    expect(several).toMatch(/name: LONGSHORE_STATE\s+value: shared/);
    expect(several).toContain('type: RollingUpdate');
    expect(several).not.toContain('name: longshore-server-data');
    expect(await template()).not.toContain('LONGSHORE_STATE');
    const refusals: [values: string, message: string][] = [
      ['server.replicas=2', 'Set s3.endpoint, s3.bucket, s3.existingSecret'],
      ['server.replicas=2,s3.endpoint=http://s3,s3.existingSecret=s3', 'Set s3.bucket.'],
      ['server.replicas=2,server.state=local', 'server.state must be shared or empty'],
      ['s3.endpoint=http://s3', 'The object store is not complete'],
      [
        'keys.existingSecret=own,s3.endpoint=http://s3,s3.bucket=b,s3.accessKeyId=a,s3.secretAccessKey=b',
        'Set s3.existingSecret',
      ],
    ];
    for (const [values, message] of refusals) {
      await expect(template('--set', values)).rejects.toThrow(message);
    }
  });

  it('renders the same with the values of its first version, as --reuse-values does', async () => {
    const own = ['--set', 'keys.existingSecret=longshore-keys'];
    const [, ...values] = bench.values('1');
    const first = [await firstChart(), ...values, ...VERSION, ...own];
    expect(await bench.helm('template', 'longshore', ...first)).toBe(await template(...own));
    expect(await template('--set', 'keys=null')).toContain('name: longshore-keys');
  });

  it('uses a volume of yours for the data of the server, and makes none', async () => {
    const claims = (objects: string) =>
      [...objects.matchAll(/claimName: (.+)/g)].map(([, it]) => it);
    const own = await template('--set', 'server.data.existingClaim=disk');
    expect(claims(own)).toEqual(['disk']);
    expect(own).not.toContain('kind: PersistentVolumeClaim');
    const made = await template();
    expect(claims(made)).toEqual(['longshore-server-data']);
    expect(made).toContain('kind: PersistentVolumeClaim');
  });

  it('makes no keys where the values name a Secret', async () => {
    const own = await template(
      '--set',
      'keys.existingSecret=own,server.replicas=2,s3.endpoint=http://s3,s3.bucket=b,s3.existingSecret=s3',
    );
    expect(own).not.toContain('kind: Secret\n');
    const keys = [...own.matchAll(/secretKeyRef:\s+name: (\S+)\s+key: (\S+)/g)];
    expect([...new Set(keys.map(([, name, key]) => `${name} ${key}`))].sort()).toEqual([
      'own edge-key',
      'own master-key',
      'own postgres-password',
      's3 access-key-id',
      's3 secret-access-key',
    ]);
  });

  it('keeps the password of the bundled Postgres while another database is used', async () => {
    const { kubectl, helm, values, prefix } = bench;
    const former = `${prefix}-former`;
    await kubectl('create', 'namespace', former);
    const inFormer = ['--namespace', former];
    const key = '--from-literal=postgres-password=hunter2';
    await kubectl('create', 'secret', 'generic', 'longshore-keys', key, ...inFormer);
    for (const database of ['', 'db']) {
      const set = ['--set', `database.existingSecret=${database}`];
      const read = [...VERSION, '--dry-run=server', ...inFormer];
      const objects = await helm('template', 'longshore', ...values('1'), ...set, ...read);
      expect(objects).toContain(`postgres-password: "${btoa('hunter2')}"`);
    }
  });

  it.each([
    ['the volume of the chart, which was kept', 'longshore-server-data', ''],
    ['a volume of yours', 'disk', 'disk'],
  ])('refuses several servers after one that had its keys on %s', async (_, name, existing) => {
    const { kubectl, helm, values, prefix } = bench;
    const namespace = `${prefix}-${name}`;
    await kubectl('create', 'namespace', namespace);
    const inNamespace = ['--namespace', namespace];
    const file = join((await temporaryFolderOfTest()).path, 'claim.json');
    const resources = { requests: { storage: '1Gi' } };
    const claim = {
      ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name } },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources },
    };
    await writeFile(file, JSON.stringify(claim));
    const several = ['--set', `server.data.existingClaim=${existing},server.replicas=2`];
    const s3 = setS3(await bench.objectStore());
    const read = [...VERSION, '--dry-run=server', ...inNamespace];
    const render = () => helm('template', 'longshore', ...values('1'), ...several, ...s3, ...read);
    const key = '--from-literal=edge-key=0123456789';
    await kubectl('create', 'secret', 'generic', 'longshore-keys', key, ...inNamespace);
    expect(await render()).toContain('replicas: 2');
    await kubectl('apply', '-f', file, ...inNamespace);
    await expect(render()).rejects.toThrow('First set server.replicas to 1');
  });

  it(
    'serves an app during an upgrade without a failed request, and finds its data after an uninstall',
    async () => {
      const { kubectl, helm, values, urlOf } = bench;
      const [, ...settings] = values('1');
      await helm('install', 'longshore', await firstChart(), ...settings, ...INSTALL);

      // The pods cannot write to their root file system, and are not root.
      for (const [deployment, user] of [
        ['longshore-server', '10001'],
        ['longshore-edge', '10002'],
      ]) {
        const script = 'id -u; echo x > /opt/longshore/x || echo refused';
        const output = await kubectl('exec', `deployment/${deployment}`, '--', 'sh', '-c', script);
        expect(output).toBe(`${user}\nrefused\n`);
      }

      const { client, email, projectId } = await signUpOperator(bench);
      const fileId = await uploadFile(client);
      const script =
        'mkdir /tmp/site; echo hello > /tmp/site/index.html; exec httpd -f -p $PORT -h /tmp/site';
      const sleep = { afterMinutes: 1 };
      const app = await createApp(client, bench, { name: 'hello', projectId, script, sleep });
      await eventually(async () => (await get(app)) === 'hello\n', 'the app');

      const pods = async () => (await kubectl('get', 'pods', '-o', 'name')).trim().split('\n');
      const before = (await pods()).filter((name) => !name.includes('postgres'));
      expect(before).toHaveLength(3);
      const requests = startSteadyRequests(app);
      const reused = ['--reuse-values', '--set-string', 'image.tag=2'];
      await helm('upgrade', 'longshore', CHART, ...reused, ...WAIT);
      await eventually(async () => {
        const now = await pods();
        return now.length === 4 && !before.some((name) => now.includes(name));
      }, 'new pods only');
      await expectNoFailures(requests);

      await helm('uninstall', 'longshore', '--wait');
      expect(await kubectl('get', 'persistentvolumeclaims', '-o', 'name')).toBe(
        'persistentvolumeclaim/data-longshore-postgres-0\npersistentvolumeclaim/longshore-server-data\n',
      );
      // Its keys are on the volume that was kept.
      const several = ['--set', 'server.replicas=2', ...setS3(await bench.objectStore())];
      await expect(helm('install', 'longshore', ...values('2'), ...several)).rejects.toThrow(
        'This installation has its keys on the volume of its server',
      );
      await helm('install', 'longshore', ...values('2'), ...INSTALL);
      const again = connectOwnClient(await urlOf('longshore-server'));
      await again.auth.signIn({ email, password: PASSWORD });
      expect(await readText(again, fileId)).toBe('a letter');
      const back = { ...app, url: await urlOf('longshore-edge') };
      await eventually(
        async () => (await get(back)) === 'hello\n',
        'the app after the installation',
      );

      // The app sleeps when it is idle in both edges, and the next request wakes it.
      const label = `dev.longshore/app=${app.id}`;
      const instances = () => kubectl('get', 'pods', '--all-namespaces', '-l', label, '-o', 'name');
      await eventually(async () => (await instances()) === '', 'no instance');
      await eventually(async () => (await get(back)) === 'hello\n', 'the app after its sleep');

      // The volume is not one of the chart any more.
      const claim = ['--set', 'server.data.existingClaim=longshore-server-data'];
      await helm('upgrade', 'longshore', ...values('2'), ...claim, ...WAIT);
      expect(await helm('get', 'manifest', 'longshore')).not.toContain('PersistentVolumeClaim\n');
      expect(await readText(again, fileId)).toBe('a letter');
    },
    CREATE_MS,
  );
});

/** The chart with the values of its first version, as `--reuse-values` renders it for those who installed that one. */
async function firstChart(): Promise<string> {
  const folder = await temporaryFolderOfTest();
  await cp(CHART, folder.path, { recursive: true });
  await cp(FIRST_VALUES, join(folder.path, 'values.yaml'));
  return folder.path;
}

async function temporaryFolderOfTest(): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  return folder;
}

async function readText(client: Client, fileId: string): Promise<string | false> {
  const file = await client.files.download(fileId);
  return file.ok && (await file.data.text());
}
