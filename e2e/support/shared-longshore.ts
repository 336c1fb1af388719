import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { freePort } from './free-port.ts';
import { type Longshore, startLongshore } from './longshore.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { type SmsGateway, startSmsGateway } from './sms-gateway.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type SharedLongshore = {
  readonly url: string;
  readonly dataDir: string;
  readonly mails: MailServer;
  readonly texts: SmsGateway;
};

type Settings = Record<string, string>;

/** One Longshore for all tests of a file, with a mail server and an SMS gateway. */
export function sharedLongshore(
  settings: Settings | ((url: string) => Promise<Settings>) = {},
): SharedLongshore {
  let running: { longshore: Longshore; dataDir: string; mails: MailServer; texts: SmsGateway };
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const folder = await temporaryFolder();
    stops.push(folder.remove);
    const [mails, texts] = [await startMailServer(), await startSmsGateway()];
    stops.push(mails.stop, texts.stop);
    const port = await freePort();
    const dataDir = join(folder.path, 'data');
    const longshore = await startLongshore({
      dataDir,
      port,
      ingressPort: await freePort(),
      env: {
        SMTP_URL: mails.url,
        LONGSHORE_SMS_WEBHOOK: texts.url,
        ...(typeof settings === 'function' ? await settings(`http://localhost:${port}`) : settings),
      },
    });
    stops.push(async () => expect(await longshore.stop()).toBe(0));
    running = { longshore, dataDir, mails, texts };
  });

  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  return {
    get url() {
      return running.longshore.url;
    },
    get dataDir() {
      return running.dataDir;
    },
    get mails() {
      return running.mails;
    },
    get texts() {
      return running.texts;
    },
  };
}
