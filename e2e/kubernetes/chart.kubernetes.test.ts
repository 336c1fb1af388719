import { autoDomain } from '@longshore/contract';
import {
  type ChartBench,
  createChartBench,
  missingForCluster,
} from '@longshore/server/testing/chart';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newEmail, PASSWORD } from '../support/nhost.ts';
import { connectOwnClient } from '../support/own-client.ts';
import { get, startSteadyRequests } from './steady-requests.ts';

const INSTALL = ['--create-namespace', '--wait', '--timeout', '10m'];
/** Without a cluster, Helm assumes an old one. */
const VERSION = ['--kube-version', '1.34.4'];
const CREATE_MS = 900_000;

describe.skipIf(missingForCluster.length > 0)('the Helm chart', () => {
  let bench: ChartBench;
  beforeAll(async () => {
    bench = await createChartBench();
  }, CREATE_MS);
  afterAll(() => bench?.stop(), 120_000);

  it('accepts its values, and refuses unknown ones and several servers with a reason', async () => {
    const template = (...values: string[]) =>
      bench.helm('template', 'longshore', ...bench.values('1'), ...VERSION, ...values);
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
    await expect(template('--set', 'server.replicas=2')).rejects.toThrow(
      'server.replicas must be 1: this version keeps',
    );
    await expect(template('--set', 'edge.replica=2')).rejects.toThrow(
      "additional properties 'replica' not allowed",
    );
    await expect(template('--set', 'publicUrl=console.test')).rejects.toThrow('/publicUrl');
  });

  it('keeps the password of the bundled Postgres while another database is used', async () => {
    const { kubectl, helm, values } = bench;
    const inFormer = ['--namespace', 'former'];
    await kubectl('create', 'namespace', 'former');
    const key = '--from-literal=postgres-password=hunter2';
    await kubectl('create', 'secret', 'generic', 'longshore-keys', key, ...inFormer);
    for (const database of ['', 'db']) {
      const set = ['--set', `database.existingSecret=${database}`];
      const read = [...VERSION, '--dry-run=server', ...inFormer];
      const objects = await helm('template', 'longshore', ...values('1'), ...set, ...read);
      expect(objects).toContain(`postgres-password: "${btoa('hunter2')}"`);
    }
  });

  it(
    'serves an app during an upgrade without a failed request, and finds its data after an uninstall',
    async () => {
      const { kubectl, helm, values, registry, urlOf } = bench;
      await helm('install', 'longshore', ...values('1'), ...INSTALL);

      // The pods cannot write to their root file system, and are not root.
      for (const [deployment, user] of [
        ['longshore-server', '10001'],
        ['longshore-edge', '10002'],
      ]) {
        const script = 'id -u; echo x > /opt/longshore/x || echo refused';
        const output = await kubectl('exec', `deployment/${deployment}`, '--', 'sh', '-c', script);
        expect(output).toBe(`${user}\nrefused\n`);
      }

      const email = newEmail();
      const client = connectOwnClient(await urlOf('longshore-server'));
      const log = await kubectl('logs', 'deployment/longshore-server');
      const setupCode = /set-up code ([-A-Z0-9]+)/.exec(log)?.[1] ?? '';
      await client.auth.signUp({ email, password: PASSWORD, setupCode });
      const project = await client.resources.createProject({ name: 'harbour' });
      if (!project.ok) throw new Error(project.error.message);
      const command =
        'mkdir /tmp/site; echo hello > /tmp/site/index.html; exec httpd -f -p $PORT -h /tmp/site';
      await registry.publish({ name: 'apps/hello:1', settings: { Cmd: ['sh', '-c', command] } });
      const created = await client.resources.createApp({
        name: 'hello',
        projectId: project.id,
        resourceTier: 't1',
        ports: [{ number: 8080, expose: true }],
        publicAccess: { enabled: true, domain: 'auto', baseDomain: 'apps.test' },
        container: {
          image: `${registry.host}/apps/hello:1`,
          updatePolicy: 'Always',
          pullSecretName: '',
        },
        source: { enabled: false, url: '', ref: '', secretName: '' },
        env: {},
        instances: 1,
        sleep: { afterMinutes: 1 },
      });
      if (!created.ok) throw new Error(created.error.message);
      const host = autoDomain({ id: created.id, name: 'hello' }, 'apps.test');
      const app = { url: await urlOf('longshore-edge'), host };
      await eventually(async () => (await get(app)) === 'hello\n', 'the app');

      const pods = async () => (await kubectl('get', 'pods', '-o', 'name')).trim().split('\n');
      const before = (await pods()).filter((name) => !name.includes('postgres'));
      expect(before).toHaveLength(3);
      const requests = startSteadyRequests(app);
      await helm('upgrade', 'longshore', ...values('2'), '--wait', '--timeout', '10m');
      await eventually(async () => {
        const now = await pods();
        return now.length === 4 && !before.some((name) => now.includes(name));
      }, 'new pods only');
      const { failures, count } = await requests.stop();
      expect(failures).toEqual([]);
      expect(count).toBeGreaterThan(100);

      await helm('uninstall', 'longshore', '--wait');
      expect(await kubectl('get', 'persistentvolumeclaims', '-o', 'name')).toBe(
        'persistentvolumeclaim/data-longshore-postgres-0\npersistentvolumeclaim/longshore-server-data\n',
      );
      await helm('install', 'longshore', ...values('2'), ...INSTALL);
      const again = connectOwnClient(await urlOf('longshore-server'));
      await again.auth.signIn({ email, password: PASSWORD });
      const back = { url: await urlOf('longshore-edge'), host };
      await eventually(
        async () => (await get(back)) === 'hello\n',
        'the app after the installation',
      );

      // The app sleeps when it is idle in both edges, and the next request wakes it.
      const label = `dev.longshore/app=${created.id}`;
      const instances = () => kubectl('get', 'pods', '--all-namespaces', '-l', label, '-o', 'name');
      await eventually(async () => (await instances()) === '', 'no instance');
      await eventually(async () => (await get(back)) === 'hello\n', 'the app after its sleep');
    },
    CREATE_MS,
  );
});
