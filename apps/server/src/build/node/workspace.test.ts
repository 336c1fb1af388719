import { expect, it } from 'vitest';
import { containsPackage } from './workspace.ts';

const pnpm = (text: string) => ({ 'pnpm-workspace.yaml': text });
const npm = (workspaces: unknown) => ({ 'package.json': JSON.stringify({ workspaces }) });

it.each<[path: string, texts: Record<string, string>, isPackage: boolean]>([
  ['apps/web', pnpm("packages:\n  - 'apps/*'\n  - packages/*\n"), true],
  ['apps/web', pnpm('packages:\n\n# Apps\n- "./apps/*"\ncatalog:\n  - x\n'), true],
  ['apps/web', pnpm('onlyBuiltDependencies:\n  - apps/*\n'), false],
  ['apps/web', pnpm('packages:\n  - apps/*\n  - "!apps/web"\n'), false],
  ['apps/web/src', pnpm('packages:\n  - apps/*\n'), false],
  ['apps/web/src', pnpm('packages:\n  - apps/**\n'), true],
  ['web', npm(['web', 'api/']), true],
  ['api', npm(['web', 'api/']), true],
  ['web', npm({ packages: ['w*'] }), true],
  ['web', npm('web'), false],
  ['web', { 'package.json': 'not JSON' }, false],
  ['web', {}, false],
])('decides whether %s is a package of the workspace of case %#', (path, texts, isPackage) => {
  expect(containsPackage({ files: Object.keys(texts), texts }, path)).toBe(isPackage);
});
