import { get } from 'node:http';
import { join } from 'node:path';
import { type AppValues, AUTO_DOMAIN, autoDomain, SERVICE_PATHS } from '@longshore/contract';
import { startDockerTestEnvironment } from '@longshore/server/testing/docker';
import { signUp } from './support/bench-user.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { startLongshore } from './support/longshore.ts';
import type { Measurement } from './support/measurement.ts';
import type { Scope } from './support/scope.ts';
import { waitUntil } from './support/wait-until.ts';
import { now } from './support/wall-clock.ts';

/** What the card of the sample app promises. */
const BUDGET_MS = 10_000;
const BASE_DOMAIN = 'localhost';
const PAUSE_MS = 10;
const TIMEOUT_MS = 120_000;

await runBenchmark('sample', async (scope) => {
  const docker = await startDockerTestEnvironment();
  scope.defer(docker.stop);
  return [
    ...(await measure('process engine', {}, scope)),
    ...(await measure('Docker', docker.env, scope)),
  ];
});

/** The first app of a new installation, and the first one of the next owner. */
async function measure(
  engine: string,
  env: Record<string, string>,
  scope: Scope,
): Promise<Measurement[]> {
  const folder = await benchmarkFolder(scope);
  const { url, ingressPort } = await startLongshore(join(folder, 'data'), scope, env);
  const rows: Measurement[] = [];
  for (const owner of ['first', 'second']) {
    const user = await signUp(url, `${owner}@example.com`);
    const startedAt = now();
    const projectId = await user.insert('project', { userId: user.id, name: 'My project' });
    const name = 'sample';
    const id = await user.insert('app', sampleValues(name, projectId));
    const response = await fetch(`${url}${SERVICE_PATHS.apps[0]}/${id}/sample`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.accessToken}` },
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    const host = autoDomain({ id, name }, BASE_DOMAIN);
    await waitUntil(`${host} responds`, PAUSE_MS, () => request(ingressPort, host), TIMEOUT_MS);
    const value = now() - startedAt;
    rows.push({ name: `${engine}: ${owner} owner`, unit: 'ms', value, budget: BUDGET_MS });
    await user.delete(id);
  }
  return rows;
}

function sampleValues(name: string, projectId: string): AppValues {
  return {
    name,
    projectId,
    resourceTier: 't1',
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: AUTO_DOMAIN, baseDomain: BASE_DOMAIN },
    container: { image: '', updatePolicy: 'Always', pullSecretName: '' },
    source: { enabled: true, url: 'upload:', ref: 'main', secretName: '' },
    env: {},
    instances: 0,
  };
}

function request(port: number, host: string): Promise<true | undefined> {
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', agent: false, headers: { Host: host } };
    get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? true : undefined);
    }).on('error', () => resolve(undefined));
  });
}
