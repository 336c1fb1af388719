import { join } from 'node:path';

const APP_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

/** Where everything of one app lies. What is below `app` the app can touch in part, `records` never. */
export type AppLayout = {
  app: string;
  home: string;
  temporary: string;
  releases: string;
  release(number: number): string;
  records: string;
  releaseRecords: string;
  releaseRecord(number: number): string;
  instances: string;
  lastInstance: string;
  instance(id: string): InstanceLayout;
};

export type InstanceLayout = {
  folder: string;
  record: string;
  output: string;
  position: string;
  alive: string;
};

export function appLayout(home: string, appId: string): AppLayout {
  if (!APP_ID.test(appId)) throw new Error('An app id is made of letters, digits and hyphens');
  const app = join(appsFolder(home), appId);
  const records = join(recordsFolder(home), appId);
  return {
    app,
    home: join(app, 'home'),
    temporary: join(app, 'tmp'),
    releases: join(app, 'releases'),
    release: (number) => join(app, 'releases', String(number)),
    records,
    releaseRecords: join(records, 'releases'),
    releaseRecord: (number) => join(records, 'releases', `${number}.json`),
    instances: join(records, 'instances'),
    lastInstance: join(records, 'last-instance'),
    instance: (id) => instanceLayout(join(records, 'instances', id)),
  };
}

export function appsFolder(home: string): string {
  return join(home, 'apps');
}

/** Only the server's own user may look in here: an app that could write it could forge a pid to be killed. */
export function recordsFolder(home: string): string {
  return join(home, 'records');
}

function instanceLayout(folder: string): InstanceLayout {
  return {
    folder,
    record: join(folder, 'record.json'),
    output: join(folder, 'output'),
    position: join(folder, 'position'),
    alive: join(folder, 'alive'),
  };
}
