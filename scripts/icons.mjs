import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from './steps/install.mjs';
import { npmArgv, toolArgv } from './steps/programs.mjs';
import { ROOT } from './steps/root.mjs';
import { runCommand } from './steps/run-command.mjs';
import { runScript, StepFailed } from './steps/run-script.mjs';

const SOURCE = 'lucide-react@1.71.0';
const TARGET = join(ROOT, 'apps', 'console', 'src', 'ui', 'icons.tsx');

/** The icons of the console. Add a name, then run `npm run icons`. */
const ICONS = [
  'ArrowDown',
  'BookOpen',
  'ChartLine',
  'Check',
  'ChevronDown',
  'ChevronLeft',
  'ChevronRight',
  'ChevronUp',
  'CircleAlert',
  'CircleUser',
  'Clock',
  'Container',
  'Copy',
  'CornerDownRight',
  'Download',
  'Ellipsis',
  'ExternalLink',
  'Eye',
  'EyeOff',
  'Folder',
  'FolderPlus',
  'GitBranch',
  'Globe',
  'KeyRound',
  'Link2',
  'Lock',
  'LogOut',
  'Menu',
  'Moon',
  'Palette',
  'Pause',
  'Pencil',
  'PencilLine',
  'Play',
  'Plus',
  'RefreshCw',
  'Rocket',
  'Search',
  'ShieldCheck',
  'SquareArrowOutUpRight',
  'Sun',
  'Trash2',
  'TriangleAlert',
  'WrapText',
  'X',
  'Zap',
];

const COMPONENT = `import type { ReactNode, SVGProps } from 'react';

type IconProps = SVGProps<SVGSVGElement> & { size?: number };

function icon(shapes: ReactNode) {
  return ({ size = 24, ...props }: IconProps) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
    >
      {shapes}
    </svg>
  );
}
`;

/** Generates the console's icons into one file, so that nobody installs the 50 MB package they come from. */
await runScript(async () => {
  await install({ development: true });
  const folder = await mkdtemp(join(tmpdir(), 'longshore-icons-'));
  try {
    await run([...npmArgv(), 'install', '--prefix', folder, '--ignore-scripts', SOURCE]);
    const source = join(folder, 'node_modules', 'lucide-react');
    const license = await readFile(join(source, 'LICENSE'), 'utf8');
    const icons = await Promise.all(ICONS.map((name) => iconSource(source, name)));
    await writeFile(TARGET, [header(license), COMPONENT, ...icons].join('\n'));
    await run(toolArgv('biome', 'check', '--write', TARGET));
  } finally {
    await rm(folder, { recursive: true });
  }
});

function header(license) {
  const lines = license.trim().split('\n');
  return [
    `// Generated from ${SOURCE} by scripts/icons.mjs. Do not edit.`,
    '/**',
    ' * @license',
    ...lines.map((line) => ` * ${line}`.trimEnd()),
    ' */',
    '',
  ].join('\n');
}

async function iconSource(source, name) {
  const data = await iconData(join(source, 'dist', 'esm', 'icons'), `${kebabCase(name)}.mjs`);
  const shapes = data.node.map(([tag, { key: _, ...attributes }]) => {
    const props = Object.entries(attributes).map(([attribute, value]) => `${attribute}="${value}"`);
    return `<${tag} ${props.join(' ')} />`;
  });
  const children = shapes.length === 1 ? shapes[0] : `<>${shapes.join('')}</>`;
  return `export const ${name} = icon(${children});`;
}

/** Renamed icons keep their old name as a file that only re-exports the new one. */
async function iconData(folder, file) {
  const path = join(folder, file);
  const alias = /export \{ default \} from '\.\/(.+)';/.exec(await readFile(path, 'utf8'));
  if (alias !== null) return await iconData(folder, alias[1]);
  return (await import(pathToFileURL(path).href)).__iconData;
}

function kebabCase(name) {
  return name.replaceAll(/(?<!^)([A-Z]|\d+)/g, '-$1').toLowerCase();
}

async function run(argv) {
  const code = await runCommand(argv, { cwd: ROOT });
  if (code !== 0) throw new StepFailed(`${argv.join(' ')} failed with exit code ${code}.`);
}
