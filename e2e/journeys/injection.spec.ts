import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppValues, SERVICE_PATHS } from '@longshore/contract';
import {
  canRunDocker,
  type DockerTestEnvironment,
  startDockerTestEnvironment,
} from '@longshore/server/testing/docker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, signUp } from '../support/account.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { watchProcessArguments } from '../support/watch-process-arguments.ts';

const POLL_OPTIONS = { timeout: 120_000, interval: 200 };
const SECRET = 'sentinel-4b1d-of-the-deep';

/** Responds with its environment variables. Needs no install. */
const ECHOING = {
  'package.json': JSON.stringify({ name: 'echo', scripts: { start: 'node server.js' } }),
  'server.js': `require('node:http')
    .createServer((_, response) => response.end(JSON.stringify(process.env)))
    .listen(process.env.PORT);`,
};

/** Payloads that create a file if anything executes them. */
function payloads(file: string): string[] {
  return [
    `; touch ${file}`,
    `$(touch ${file})`,
    `\`touch ${file}\``,
    `main\ntouch ${file}`,
    `main\r\nRUN touch ${file}`,
    `' || touch ${file} || '`,
    `" && touch ${file} && "`,
    `--upload-pack=touch ${file}`,
    `-oProxyCommand=touch ${file}`,
    `ext::sh -c touch% ${file}`,
    `../../../../..${file}`,
    `\u202etouch ${file}`,
    '\u0000',
  ];
}

type Field = { name: string; with(payload: string): unknown };

/** Every field of an app that contains user text. */
const FIELDS: Field[] = [
  { name: 'name', with: (name) => ({ name }) },
  { name: 'project', with: (projectId) => ({ projectId }) },
  { name: 'tier', with: (resourceTier) => ({ resourceTier }) },
  { name: 'source URL', with: (url) => ({ source: { enabled: true, url, ref: 'main' } }) },
  {
    name: 'path of the source URL',
    with: (text) => ({ source: { enabled: true, url: `file:///tmp/${text}`, ref: 'main' } }),
  },
  { name: 'ref', with: (ref) => ({ source: { ref } }) },
  { name: 'source secret', with: (secretName) => ({ source: { secretName } }) },
  { name: 'image', with: (image) => ({ source: { enabled: false }, container: { image } }) },
  {
    name: 'tag of the image',
    with: (tag) => ({ source: { enabled: false }, container: { image: `nginx:${tag}` } }),
  },
  { name: 'pull secret', with: (pullSecretName) => ({ container: { pullSecretName } }) },
  { name: 'update policy', with: (updatePolicy) => ({ container: { updatePolicy } }) },
  { name: 'key of a variable', with: (key) => ({ env: { [key]: 'value' } }) },
  { name: 'port', with: (number) => ({ ports: [{ number, expose: true }] }) },
  { name: 'domain', with: (domain) => ({ publicAccess: { enabled: true, domain } }) },
  { name: 'base domain', with: (baseDomain) => ({ publicAccess: { enabled: true, baseDomain } }) },
];

describe.each([
  ['process', false],
  ['docker', true],
])('with the %s engine', (_, isDocker) => {
  describe.skipIf(isDocker && !canRunDocker)('field values are never executed', () => {
    let folder: TemporaryFolder;
    /** A file in this folder means that a payload was executed. */
    let traps: string;
    let docker: DockerTestEnvironment | undefined;
    let longshore: Longshore;
    let ada: Account;
    let url: string;
    let leakedArguments: () => Promise<string[]>;

    beforeAll(async () => {
      folder = await temporaryFolder();
      traps = join(folder.path, 'traps');
      await mkdir(traps);
      await chmod(traps, 0o777);
      leakedArguments = watchProcessArguments(SECRET);
      docker = isDocker ? await startDockerTestEnvironment() : undefined;
      longshore = await startLongshore({
        dataDir: join(folder.path, 'data'),
        port: await freePort(),
        ingressPort: await freePort(),
        env: docker?.env ?? {},
      });
      ada = await signUp(longshore.url, 'ada@example.com');
      url = await makeRepository(join(folder.path, 'echo'), ECHOING);
    });
    afterAll(async () => {
      const code = await longshore?.stop();
      await docker?.stop();
      await folder?.remove();
      expect(code).toBe(0);
    });

    it('every accepted value runs or fails with a reason', async () => {
      const appIds: string[] = [];
      for (const field of FIELDS) {
        for (const [at, payload] of payloads(join(traps, 'field')).entries()) {
          const change = field.with(payload) as Partial<AppValues>;
          const inserted = await ada
            .deploy({ name: `field-${at}`, url, change })
            .catch((error: unknown) => expectRefusal(error));
          if (inserted !== undefined) appIds.push(inserted);
        }
      }
      // A few fields accept free text; all others have a format.
      expect(appIds.length).toBeGreaterThan(0);
      expect(appIds.length).toBeLessThan((FIELDS.length * payloads('').length) / 2);
      for (const appId of appIds) {
        await expect
          .poll(async () => (await ada.app(appId)).status, POLL_OPTIONS)
          .not.toBe('syncing');
        const { status, message } = await ada.app(appId);
        if (status === 'backoff') expect(message).not.toMatch(/^Something went wrong/);
      }
      for (const appId of appIds) await ada.delete(appId);
      expect(await readdir(traps)).toEqual([]);
    });

    it('the app gets its variables unchanged, and they appear nowhere else', async () => {
      const values = payloads(join(traps, 'value')).filter((text) => !text.includes('\u0000'));
      const hostile = Object.fromEntries(values.map((text, at) => [`VALUE_${at}`, text]));
      const env = { ...hostile, PASSWORD: SECRET };
      const id = await ada.deploy({ name: 'echo', url, env });
      await expect.poll(async () => (await ada.app(id)).status, POLL_OPTIONS).toBe('synced');
      const app = { id, name: 'echo' };
      const { body } = await requestApp(longshore, app);
      expect(JSON.parse(body)).toMatchObject(env);

      const withPassword = { name: 'private', url: `https://ada:${SECRET}@example.com/echo.git` };
      const refusal = await ada.deploy(withPassword).catch(String);
      expect(refusal).toMatch(/must not contain a password$/);
      const failing = await ada.deploy({ name: 'failing', url, ref: 'nowhere', env });
      await expect.poll(async () => (await ada.app(failing)).status, POLL_OPTIONS).toBe('backoff');
      expect((await ada.app(failing)).message).not.toContain(SECRET);

      for (const appId of [id, failing]) expect(await logOf(appId)).not.toContain(SECRET);
      expect(await logOf(failing)).toContain('Release 1: fetching');
      expect(await imageHistories()).not.toContain(SECRET);
      expect(longshore.output()).not.toContain(SECRET);
      expect(await leakedArguments()).toEqual([]);
      expect(await readdir(traps)).toEqual([]);
    });

    async function logOf(appId: string): Promise<string> {
      const { values } = await ada.app(appId);
      const response = await fetch(`${longshore.url}${SERVICE_PATHS.logs[0]}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ada.session.accessToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ projectId: values.projectId, appId, tailLines: 1_000 }),
      });
      expect(response.status).toBe(200);
      return await response.text();
    }

    /** The build history of each image, which everyone who pulls it can read. */
    async function imageHistories(): Promise<string> {
      const images = (await docker?.operator.images()) ?? [];
      const histories = images.map((id) =>
        docker?.operator.inspect<unknown>(`/images/${id}/history`),
      );
      return JSON.stringify(await Promise.all(histories));
    }
  });
});

/** A message that names the field. */
function expectRefusal(error: unknown): undefined {
  expect(String(error)).toMatch(/values\.\w+|values: |project/i);
}
