import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { appNameProblem } from '@longshore/contract';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import {
  hostsText,
  type NamedAddresses,
  NO_NAME,
  type PublicHosts,
  parseHosts,
} from './hosts-file.ts';
import { type Resolvers, resolvConf } from './resolvers.ts';

export type NamedApp = { appId: string; projectId: string; name: string };

/**
 * The names of apps inside their project: one folder per project that its programs see. The files are replaced, never changed,
 * and looked up for each name, so that callers need no restart and names work while the server is down.
 */
export type PrivateNames = {
  /** The folder with `hosts` and `resolv.conf`, created if it is missing. Without a project, no app has a name. */
  folderOf(projectId: string | undefined): Promise<string>;
  /** The project keeps its folder for this app. The address of the app does not change. */
  add(app: NamedApp): Promise<void>;
  /** The app answers at these addresses. What was set before under another name or project is removed. */
  set(app: NamedApp, addresses: string[]): Promise<void>;
  /** The app no longer answers at this address. Others stay. */
  release(appId: string, address: string): Promise<void>;
  /** Removes the name of an app, and the folder of its project if it was the last app. */
  remove(appId: string): Promise<void>;
  /** At the start, after `set`: removes all other apps, and the folders of projects without apps. */
  keepOnly(appIds: string[]): Promise<void>;
};

type Projects = Map<string, Map<string, NamedAddresses>>;

/** Ids become names of folders and comments. */
const ID = /^[0-9a-zA-Z_-]{1,64}$/;
/** The folder of programs without a project. It is no id. */
const NO_PROJECT = 'no.project';

export function createPrivateNames(options: {
  folder: string;
  resolvers: Pick<Resolvers, 'nameservers'>;
  /** Undefined when the public host names of apps are in the DNS. */
  publicHosts?: PublicHosts | undefined;
}): PrivateNames {
  const { folder, resolvers, publicHosts } = options;
  const mutex = createSemaphore(1);
  let known: Projects | undefined;

  return {
    folderOf: (projectId) =>
      inTurn(async (projects) => {
        const id = projectId === undefined ? NO_PROJECT : checkedId(projectId);
        await writeProject(id, projects.get(id) ?? new Map());
        return join(folder, id);
      }),
    add: ({ appId, projectId, name }) =>
      inTurn(async (projects) => {
        const [id] = [checkedId(projectId), checkedId(appId)];
        const apps = projects.get(id) ?? new Map<string, NamedAddresses>();
        projects.set(id, apps);
        if (!apps.has(appId)) apps.set(appId, namedAddresses(name, []));
        await writeProject(id, apps);
      }),
    release: (appId, address) =>
      inTurn(async (projects) => {
        for (const [projectId, apps] of projects) {
          const named = apps.get(appId);
          if (!named?.addresses.includes(address)) continue;
          const addresses = named.addresses.filter((other) => other !== address);
          apps.set(appId, { ...named, addresses });
          await writeProject(projectId, apps);
        }
      }),
    set: ({ appId, projectId, name }, addresses) =>
      inTurn(async (projects) => {
        const [id] = [checkedId(projectId), checkedId(appId)];
        if (!addresses.every((address) => isIPv4(address))) throw new Error('Not an IPv4 address');
        await removeFrom(projects, (app, project) => app === appId && project !== id);
        const apps = projects.get(id) ?? new Map<string, NamedAddresses>();
        projects.set(id, apps);
        apps.set(appId, namedAddresses(name, addresses));
        await writeProject(id, apps);
      }),
    remove: (appId) => inTurn((projects) => removeFrom(projects, (app) => app === appId)),
    keepOnly: (appIds) =>
      inTurn(async (projects) => {
        await removeFrom(projects, (app) => !appIds.includes(app));
        const empty = (await folders()).filter((id) => !projects.has(id) && id !== NO_PROJECT);
        await Promise.all(empty.map(removeProject));
      }),
  };

  function inTurn<Result>(work: (projects: Projects) => Promise<Result>): Promise<Result> {
    return mutex.run(async () => {
      known ??= await readProjects();
      return await work(known);
    });
  }

  async function readProjects(): Promise<Projects> {
    const projects: Projects = new Map();
    for (const id of await folders()) {
      const text = await readOptional(join(folder, id, 'hosts'));
      const apps = parseHosts(text);
      if (apps.size > 0) projects.set(id, apps);
    }
    return projects;
  }

  async function folders(): Promise<string[]> {
    await mkdir(folder, { recursive: true });
    return await readdir(folder);
  }

  async function removeFrom(
    projects: Projects,
    isRemoved: (appId: string, projectId: string) => boolean,
  ): Promise<void> {
    for (const [projectId, apps] of projects) {
      const removed = [...apps.keys()].filter((appId) => isRemoved(appId, projectId));
      for (const appId of removed) apps.delete(appId);
      if (apps.size === 0) {
        projects.delete(projectId);
        await removeProject(projectId);
      } else if (removed.length > 0) await writeProject(projectId, apps);
    }
  }

  function removeProject(projectId: string): Promise<void> {
    return rm(join(folder, projectId), { recursive: true, force: true });
  }

  async function writeProject(projectId: string, apps: Map<string, NamedAddresses>): Promise<void> {
    const path = join(folder, projectId);
    await mkdir(path, { recursive: true });
    await chmod(path, 0o755);
    await replaceFile(join(path, 'resolv.conf'), resolvConf(resolvers));
    await replaceFile(join(path, 'hosts'), hostsText(apps, publicHosts));
  }
}

/** A stored row could have a name from before names were restricted. */
function namedAddresses(name: string, addresses: string[]): NamedAddresses {
  return appNameProblem(name) === undefined
    ? { name, addresses }
    : { name: NO_NAME, addresses: [] };
}

/** Readable for programs of every user. Unchanged files stay. */
async function replaceFile(path: string, text: string): Promise<void> {
  if ((await readOptional(path)) === text) return;
  const draft = `${path}.new`;
  await writeFile(draft, text);
  await chmod(draft, 0o644);
  await rename(draft, path);
}

async function readOptional(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}

function checkedId(id: string): string {
  if (ID.test(id)) return id;
  throw new Error('Not an id');
}
