import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { findTool, SANDBOX_TOOLS } from '../../apps/server/src/sandbox/tools.mjs';
import { runCommand } from './run-command.mjs';

/** Programs that the browser journeys require. If another one is missing, the tests that use it are skipped. */
export const JOURNEY_PROGRAMS = ['git', 'chromium'];

/** Programs that tests use, and the Debian packages that contain them. */
const PROGRAMS = [
  ...SANDBOX_TOOLS.map((tool) => ({ program: tool.program, packages: [tool.package] })),
  { program: 'git', packages: ['git', 'ca-certificates'] },
  { program: 'chromium', packages: ['chromium', 'fonts-liberation'] },
  // Not in every distribution; journeys are slower without it.
  {
    program: 'chromium-headless-shell',
    packages: ['chromium-headless-shell'],
    isOptional: true,
  },
  { program: 'dockerd', packages: ['docker.io', 'runc'] },
  // Parts of a cluster.
  { program: 'containerd', packages: ['containerd'] },
  { program: 'nft', packages: ['nftables'] },
  {
    program: 'containernetworking-plugins',
    probe: ['test', '-x', '/usr/lib/cni/bridge'],
    packages: ['containernetworking-plugins'],
  },
  { program: 'docker-registry', packages: ['docker-registry'] },
  { program: 'busybox', packages: ['busybox-static'] },
  // Parts of the image that builds images.
  { program: 'newuidmap', packages: ['uidmap'] },
  { program: 'setcap', packages: ['libcap2-bin'] },
  { program: 'openssl', packages: ['openssl'] },
  { program: 'sshd', packages: ['openssh-server'] },
  {
    program: 'python3',
    // Debian's python3 package does not include venv.
    probe: ['/usr/bin/python3', '-c', 'import ensurepip, venv'],
    packages: ['python3', 'python3-venv'],
  },
];

const INSTALL = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends'];

/**
 * Installs the programs that tests need, as root on Debian and Ubuntu only. Returns the names of the programs that are
 * still missing.
 */
export async function ensureSystemPackages(environment = process.env) {
  const missing = await missingPrograms(environment);
  if (missing.length === 0) return [];
  if (process.getuid() !== 0 || !(await exists('/usr/bin/apt-get')))
    return requiredPrograms(missing);
  const packages = [...new Set(missing.flatMap((it) => it.packages))];
  console.log(`Installing ${packages.join(' ')}`);
  const env = { ...environment, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand(['apt-get', 'update', '-qq'], { env });
  // One at a time: apt installs nothing if it does not know one of the names.
  for (const { packages } of missing) {
    await runCommand([...INSTALL, ...packages], { env });
  }
  return requiredPrograms(await missingPrograms(environment));
}

function requiredPrograms(missing) {
  return missing.filter((it) => !it.isOptional).map((it) => it.program);
}

async function missingPrograms(environment) {
  const found = await Promise.all(
    PROGRAMS.map(({ program, probe }) =>
      probe ? succeeds(probe) : isOnPath(program, environment),
    ),
  );
  return PROGRAMS.filter((_, index) => !found[index]);
}

async function isOnPath(program, environment) {
  if (program === 'chromium' && environment.LONGSHORE_CHROMIUM) {
    return await exists(environment.LONGSHORE_CHROMIUM);
  }
  if (findTool(program) !== undefined) return true;
  const folders = environment.PATH.split(delimiter);
  const found = await Promise.all(folders.map((folder) => exists(join(folder, program))));
  return found.includes(true);
}

function succeeds([program, ...args]) {
  return new Promise((resolve) => execFile(program, args, (error) => resolve(error === null)));
}

async function exists(path) {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
