import { afterAll, beforeAll, expect } from 'vitest';
import { newDataDir } from './empty-database.ts';
import { freePort } from './free-port.ts';
import { type Longshore, startLongshore } from './longshore.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { type SmsGateway, startSmsGateway } from './sms-gateway.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type PlainLongshore = Longshore & {
  dataDir: string;
  /** A temporary folder, which contains the data directory. */
  folder: string;
};

export type SharedLongshore = PlainLongshore & { mails: MailServer; texts: SmsGateway };

type Settings = Record<string, string>;
type SettingsOf = (url: string) => Promise<Settings>;
type Stop = () => Promise<unknown>;

/** One Longshore for all tests of a file, filled in before the first one. */
export function plainLongshore(settings: Settings = {}): PlainLongshore {
  return startedBeforeTests(async (stops) => await start(stops, async () => settings));
}

/** The same, with a mail server and an SMS gateway. */
export function sharedLongshore(settings: Settings | SettingsOf = {}): SharedLongshore {
  return startedBeforeTests(async (stops) => {
    const [mails, texts] = [await startMailServer(), await startSmsGateway()];
    stops.push(mails.stop, texts.stop);
    const longshore = await start(stops, async (url) => ({
      SMTP_URL: mails.url,
      LONGSHORE_SMS_WEBHOOK: texts.url,
      ...(typeof settings === 'function' ? await settings(url) : settings),
    }));
    return { ...longshore, mails, texts };
  });
}

function startedBeforeTests<T extends object>(startAll: (stops: Stop[]) => Promise<T>): T {
  const started = {} as T;
  const stops: Stop[] = [];
  beforeAll(async () => void Object.assign(started, await startAll(stops)));
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });
  return started;
}

async function start(stops: Stop[], settingsOf: SettingsOf): Promise<PlainLongshore> {
  const { path: folder, remove } = await temporaryFolder();
  stops.push(remove);
  const [port, ingressPort] = [await freePort(), await freePort()];
  const dataDir = await newDataDir(folder);
  const env = await settingsOf(`http://localhost:${port}`);
  const longshore = await startLongshore({ dataDir, port, ingressPort, env });
  stops.push(async () => expect(await longshore.stop()).toBe(0));
  return { ...longshore, dataDir, folder };
}
