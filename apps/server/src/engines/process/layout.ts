import { join } from 'node:path';

const APP_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/;

/** The files and folders of one app. The app can write to some folders in `app`, never to `records`. */
export type AppLayout = {
  app: string;
  /** The image with all files of an isolated app. */
  disk: string;
  /** The app's HOME. */
  home: string;
  cache: string;
  temporary: string;
  releases: string;
  release(number: number): string;
  records: string;
  releaseRecords: string;
  releaseRecord(number: number): string;
  instances: string;
  lastInstance: string;
  /** What happened to the plain folders of an app that has a disk. */
  plainFiles: string;
  /** How often the build cache was cleared. */
  cacheClears: string;
  instance(id: string): InstanceLayout;
};

export type InstanceLayout = {
  folder: string;
  record: string;
  output: string;
  position: string;
  alive: string;
  /** What bubblewrap reports about an isolated instance: in the end, its exit code. */
  status: string;
};

export function appLayout(dataDir: string, appId: string): AppLayout {
  if (!APP_ID.test(appId)) throw new Error('An app id is made of letters, digits and hyphens');
  const app = join(appsFolder(dataDir), appId);
  const records = join(recordsFolder(dataDir), appId);
  return {
    app,
    disk: join(app, 'disk.img'),
    home: join(app, 'home'),
    cache: join(app, 'cache'),
    temporary: join(app, 'tmp'),
    releases: join(app, 'releases'),
    release: (number) => join(app, 'releases', String(number)),
    records,
    releaseRecords: join(records, 'releases'),
    releaseRecord: (number) => join(records, 'releases', `${number}.json`),
    instances: join(records, 'instances'),
    lastInstance: join(records, 'last-instance'),
    plainFiles: join(records, 'plain-files'),
    cacheClears: join(records, 'cache-clears'),
    instance: (id) => instanceLayout(join(records, 'instances', id)),
  };
}

export function appsFolder(dataDir: string): string {
  return join(dataDir, 'apps');
}

/** Only the server's user has access: an app that could write here could forge a pid for the server to kill. */
export function recordsFolder(dataDir: string): string {
  return join(dataDir, 'records');
}

function instanceLayout(folder: string): InstanceLayout {
  return {
    folder,
    record: join(folder, 'record.json'),
    output: join(folder, 'output'),
    position: join(folder, 'position'),
    alive: join(folder, 'alive'),
    status: join(folder, 'status'),
  };
}
