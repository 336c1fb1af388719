import {
  type Argv,
  type Checkout,
  type Finding,
  TOOLS_FOLDER,
  type WebCommand,
} from '../build-plan.ts';
import { HOST, PORT } from '../command-line.ts';

const COMPOSER = `${TOOLS_FOLDER}/composer.phar`;
const DOWNLOAD = `mkdir('${TOOLS_FOLDER}', 0755, true); copy('https://getcomposer.org/download/latest-2.x/composer.phar', '${COMPOSER}') || exit(1);`;

/** A composer.json or an index.php, served by FrankenPHP. */
export function detectPhp({ files, texts }: Checkout, web: WebCommand | undefined): Finding {
  const hasPackages = texts['composer.json'] !== undefined;
  const herokuFolder = /^(?:vendor\/bin\/)?heroku-php-\w+$/.test(web?.command.argv[0] ?? '')
    ? (web?.command.argv.at(-1) ?? '.').replace(/\/$/, '')
    : undefined;
  const folder =
    herokuFolder ?? ['public', 'web', '.'].find((it) => files.includes(inFolder(it, 'index.php')));
  if (!hasPackages && folder === undefined) {
    return { kind: 'lacks', sentence: 'There is no composer.json or index.php' };
  }
  const typed = herokuFolder === undefined ? web?.command : undefined;
  if (typed === undefined && folder === undefined) {
    const sentence =
      'composer.json has no index.php in public, web or beside it: enter a start command';
    return { kind: 'lacks', sentence };
  }
  const serve: Argv = [
    'frankenphp',
    'php-server',
    '--listen',
    `${HOST}:${PORT}`,
    '--root',
    folder ?? '.',
  ];
  const install: Argv = [
    'php',
    COMPOSER,
    'install',
    '--no-dev',
    '--no-interaction',
    '--prefer-dist',
  ];
  return {
    kind: 'plan',
    plan: {
      runtime: 'php',
      evidence: [
        `Found ${hasPackages ? 'composer.json' : 'index.php'}: serving it with FrankenPHP`,
      ],
      tools: ['php', 'frankenphp'],
      env: {},
      path: [],
      steps: hasPackages
        ? [
            {
              kind: 'install',
              label: 'download composer',
              argv: ['php', '-r', DOWNLOAD],
              inputs: [],
            },
            { kind: 'install', label: 'composer install', argv: install },
          ]
        : [],
      start: typed ?? { kind: 'command', argv: serve, env: {} },
    },
  };
}

function inFolder(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}
