import type { Checkout } from '../build-plan.ts';

export type GoProgram = { name: string; source: string };

const NAME = /^[A-Za-z0-9][\w.-]*$/;
/** Folders with programs that serve nothing. */
const OTHER_FOLDER =
  /(?:^|\/)(?:_?examples?|samples?|internal|tests?|testdata|tools?|hack|scripts?|docs?|benchmarks?|build|migrations?)(?:\/|$)/;
/** Files that are not part of the program, because of a build constraint. */
const IGNORED = /^\/\/(?:go:build|\s*\+build)\s+.*\b(?:ignore|tools)\b/m;

/** The programs of a module: the folders with a package main. */
export function goPrograms({ files, texts }: Checkout): GoProgram[] {
  const otherModules = files.flatMap((file) => /^(.+)\/go\.mod$/.exec(file)?.[1] ?? []);
  const isMain = (path: string, text: string) =>
    path.endsWith('.go') &&
    !path.endsWith('_test.go') &&
    !IGNORED.test(text) &&
    /^package main\b/m.test(text);
  const folders = Object.entries(texts)
    .filter(([path, text]) => isMain(path, text))
    .map(([path]) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))
    .filter((folder) => !OTHER_FOLDER.test(folder))
    .filter((folder) => !otherModules.some((it) => `${folder}/`.startsWith(`${it}/`)));
  const module = moduleName(texts['go.mod'] ?? '');
  return [...new Set(folders)].sort().map((folder) => programIn(folder, module));
}

/** The program to build: the one that a command starts, or the one whose place or name says that it serves. */
export function mainProgram(
  { texts }: Checkout,
  programs: GoProgram[],
  command: readonly string[] = [],
): GoProgram | undefined {
  const started = command
    .flatMap((word) => word.split(/[\s;&|]+/))
    .map((word) => word.split('/').at(-1));
  const module = moduleName(texts['go.mod'] ?? '');
  const inCmd = programs.filter(({ source }) => source.startsWith('./cmd'));
  const candidates = inCmd.length > 0 ? inCmd : programs;
  return (
    programs.find(({ name }) => started.includes(name)) ??
    programs.find(({ source }) => source === '.') ??
    (candidates.length === 1 ? candidates[0] : undefined) ??
    servingNames(module)
      .map((name) => candidates.find((program) => program.name === name))
      .find((program) => program !== undefined) ??
    onlyServer(candidates, texts)
  );
}

const LISTENS = /\bListenAndServe|\bhttp\.Serve\(|\bnet\.Listen\(|\.Run\(["':]|\.Listen\(["':]/;

/** The only program that listens; if none does, as far as can be seen, the only one in a main.go. */
function onlyServer(programs: GoProgram[], texts: Checkout['texts']): GoProgram | undefined {
  const folderOf = (path: string) => `./${path.slice(0, Math.max(0, path.lastIndexOf('/')))}`;
  const listening = Object.entries(texts)
    .filter(([path, text]) => path.endsWith('.go') && LISTENS.test(text))
    .map(([path]) => folderOf(path));
  const servers = programs.filter(({ source }) => listening.includes(source));
  const usual = programs.filter(({ source }) => texts[`${source.slice(2)}/main.go`] !== undefined);
  const likely = servers.length > 0 ? servers : usual;
  return likely.length === 1 ? likely[0] : undefined;
}

function servingNames(module: string): string[] {
  const usual = ['server', 'web', 'api', 'app', 'http', 'httpd'];
  return [`${module}d`, ...usual.map((name) => `${module}-${name}`), ...usual, module];
}

function programIn(folder: string, module: string): GoProgram {
  const last = folder.split('/').at(-1) ?? '';
  const isNamed = folder !== 'cmd' && NAME.test(last);
  return { name: isNamed ? last : module, source: folder === '' ? '.' : `./${folder}` };
}

/** The last part of the module's path that is not a major version, as go itself names programs. */
function moduleName(module: string): string {
  const [, path = ''] = /^module\s+"?([^\s"]+)/m.exec(module) ?? [];
  const name = path.split('/').findLast((part) => !/^v\d+$/.test(part)) ?? '';
  return NAME.test(name) ? name : 'app';
}
