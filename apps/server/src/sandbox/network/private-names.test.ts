import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { autoDomain } from '@longshore/contract';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { hostsText, parseHosts } from './hosts-file.ts';
import { createPrivateNames } from './private-names.ts';

const LOCAL = '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n';
const web = { appId: 'app-1', projectId: 'project-1', name: 'web' };
const api = { appId: 'app-2', projectId: 'project-1', name: 'api' };

async function openNames() {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-names-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const open = () => createPrivateNames({ folder, resolvers: { nameservers: ['9.9.9.9'] } });
  const hosts = (project: string) => readFile(join(folder, project, 'hosts'), 'utf8');
  return { folder, names: open(), open, hosts };
}

it('lists both names of an app with its address', async () => {
  const { names, hosts } = await openNames();
  await names.set(web, ['10.213.0.5']);
  await names.set(api, []);
  expect(await hosts('project-1')).toBe(
    `${LOCAL}10.213.0.5 web web.internal # app-1 web 10.213.0.5\n# app-2 api\n`,
  );
});

it('lists every instance of an app, without the one that ended', async () => {
  const { names, open, hosts } = await openNames();
  await names.set(web, ['10.213.0.5', '10.213.0.6', '10.213.0.7']);
  await names.release('app-1', '10.213.0.6');
  await open().release('app-1', '10.213.0.5');
  expect(await hosts('project-1')).toBe(
    `${LOCAL}10.213.0.7 web web.internal # app-1 web 10.213.0.7\n`,
  );
});

it('creates a folder that everybody can read, also without a project', async () => {
  const { names } = await openNames();
  for (const projectId of ['project-1', undefined]) {
    const path = await names.folderOf(projectId);
    expect((await readdir(path)).sort()).toEqual(['hosts', 'resolv.conf']);
    expect(await readFile(join(path, 'resolv.conf'), 'utf8')).toBe('nameserver 9.9.9.9\n');
    expect((await stat(path)).mode & 0o777).toBe(0o755);
    expect((await stat(join(path, 'hosts'))).mode & 0o777).toBe(0o644);
  }
});

it('replaces the file instead of changing it', async () => {
  const { folder, names } = await openNames();
  await names.set(web, ['10.213.0.5']);
  const before = await stat(join(folder, 'project-1/hosts'));
  await names.set(web, ['10.213.0.6']);
  expect((await stat(join(folder, 'project-1/hosts'))).ino).not.toBe(before.ino);
});

it('moves an app that was renamed or changed its project', async () => {
  const { folder, names, hosts } = await openNames();
  await names.set(api, ['10.213.0.6']);
  await names.set(web, ['10.213.0.5']);
  await names.set({ ...web, name: 'site' }, ['10.213.0.5']);
  expect(await hosts('project-1')).not.toContain('web');
  await names.set({ ...web, projectId: 'project-2' }, ['10.213.0.7']);
  expect(await hosts('project-1')).not.toContain('app-1');
  expect(await hosts('project-2')).toContain('10.213.0.7 web web.internal');
  await names.set({ ...api, projectId: 'project-2' }, ['10.213.0.6']);
  expect(await readdir(folder)).toEqual(['project-2']);
});

it('knows after a crash which app a line belongs to', async () => {
  const { folder, names, open, hosts } = await openNames();
  await names.set(web, ['10.213.0.5']);
  await names.set(api, ['10.213.0.6']);
  const next = open();
  await next.remove('app-1');
  expect(await hosts('project-1')).toBe(
    `${LOCAL}10.213.0.6 api api.internal # app-2 api 10.213.0.6\n`,
  );
  await next.remove('app-2');
  expect(await readdir(folder)).toEqual([]);
});

it('removes apps and projects that no longer exist', async () => {
  const { folder, names, open } = await openNames();
  await names.set(web, ['10.213.0.5']);
  await names.set({ ...api, projectId: 'project-2' }, ['10.213.0.6']);
  await names.folderOf('project-3');
  await names.folderOf(undefined);
  await open().keepOnly(['app-1']);
  expect((await readdir(folder)).sort()).toEqual(['no.project', 'project-1']);
});

it.each(['a\n10.213.0.9 b', 'a b', 'a#', 'Web', '', '-'])('writes no name "%s"', async (name) => {
  const { names, hosts } = await openNames();
  await names.set({ ...web, name }, ['10.213.0.5']);
  expect(await hosts('project-1')).toBe(`${LOCAL}# app-1 -\n`);
});

it.each([
  ['an id with a path', { ...web, projectId: '../x' }, '10.213.0.5'],
  ['an id with a line break', { ...web, appId: 'a\nb' }, '10.213.0.5'],
  ['something else than an address', web, '10.213.0.5 x'],
])('refuses %s', async (_, app, address) => {
  const { names } = await openNames();
  await expect(names.set(app, [address])).rejects.toThrow('Not an');
});

it('leaves "localhost" to the local machine, and a name to the first of two apps', () => {
  const apps = new Map([
    ['a', { name: 'localhost', addresses: ['10.213.0.5'] }],
    ['b', { name: 'web', addresses: ['10.213.0.6'] }],
    ['c', { name: 'web', addresses: ['10.213.0.7'] }],
  ]);
  expect(hostsText(apps).split('\n').slice(2)).toEqual([
    '10.213.0.5 localhost.internal # a localhost 10.213.0.5',
    '10.213.0.6 web web.internal # b web 10.213.0.6',
    '# c web 10.213.0.7',
    '',
  ]);
});

it('leads public host names that are in no DNS to the edge', () => {
  const apps = new Map([
    ['a', { name: 'web', addresses: ['10.213.0.6'] }],
    ['b', { name: 'asleep', addresses: [] }],
    ['c', { name: '-', addresses: [] }],
  ]);
  const publicHosts = { address: '10.213.0.1', baseDomain: 'localhost' };
  const text = hostsText(apps, publicHosts);
  expect(text.split('\n').slice(5)).toEqual([
    `10.213.0.1 ${autoDomain({ id: 'a', name: 'web' }, 'localhost')}`,
    `10.213.0.1 ${autoDomain({ id: 'b', name: 'asleep' }, 'localhost')}`,
    '',
  ]);
  expect(parseHosts(text)).toEqual(apps);
});

it('reads back what it wrote', () => {
  const names = fc.stringMatching(/^[a-z0-9-]{1,50}$/);
  const addresses = fc.array(fc.ipV4(), { maxLength: 3 });
  const entries = fc.array(fc.tuple(fc.uuid(), fc.record({ name: names, addresses })));
  fc.assert(
    fc.property(entries, (list) => {
      const apps = new Map(list);
      expect(parseHosts(hostsText(apps))).toEqual(apps);
    }),
  );
});

it.runIf(process.getuid?.() === 0)('is understood by the C library', async () => {
  const { folder, names } = await openNames();
  const addresses = ['10.213.0.5', '10.213.0.6'];
  await names.set(web, addresses);
  const hosts = join(folder, 'project-1/hosts');
  const argv = ['--ro-bind', '/', '/', '--ro-bind', hosts, '/etc/hosts', 'getent', 'ahostsv4'];
  for (const name of ['web', 'web.internal']) {
    const { stdout } = await promisify(execFile)('bwrap', [...argv, name]);
    for (const address of addresses) expect(stdout).toContain(address);
  }
});
