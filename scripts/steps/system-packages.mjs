import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.mjs';

/** Programs that the browser journeys cannot do without. Where others are missing, the tests that use them skip. */
export const JOURNEY_PROGRAMS = ['git', 'chromium'];

/** Programs the tests use, and the packages that bring them. */
const NEEDED = [
  { program: 'git', packages: ['git', 'ca-certificates'] },
  { program: 'chromium', packages: ['chromium', 'fonts-liberation'] },
  // Not every system has it: the journeys take longer without.
  {
    program: 'chromium-headless-shell',
    packages: ['chromium-headless-shell'],
    isSpared: true,
  },
  { program: 'dockerd', packages: ['docker.io'] },
  { program: 'docker-registry', packages: ['docker-registry'] },
  { program: 'busybox', packages: ['busybox-static'] },
  { program: 'sshd', packages: ['openssh-server'] },
  {
    program: 'python3',
    // Debian leaves out of Python what makes a folder of packages.
    proof: ['/usr/bin/python3', '-c', 'import ensurepip, venv'],
    packages: ['python3', 'python3-venv'],
  },
];

const INSTALL = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends'];

/**
 * Installs what the tests need from the system where that is allowed: as root on Debian and Ubuntu. Answers the programs
 * that are still missing.
 */
export async function ensureSystemPackages(environment = process.env) {
  const missing = await missingPrograms(environment);
  if (missing.length === 0) return [];
  if (process.getuid() !== 0 || !(await exists('/usr/bin/apt-get'))) return neededOf(missing);
  console.log(`Installing ${missing.flatMap((it) => it.packages).join(' ')}`);
  const env = { ...environment, DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand(['apt-get', 'update', '-qq'], { env });
  // One by one: apt installs nothing at all when it does not know one of the names.
  for (const { packages } of missing) {
    await runCommand([...INSTALL, ...packages], { env });
  }
  return neededOf(await missingPrograms(environment));
}

function neededOf(missing) {
  return missing.filter((it) => !it.isSpared).map((it) => it.program);
}

async function missingPrograms(environment) {
  const found = await Promise.all(
    NEEDED.map(({ program, proof }) => (proof ? works(proof) : isThere(program, environment))),
  );
  return NEEDED.filter((_, index) => !found[index]);
}

async function isThere(program, environment) {
  if (program === 'chromium' && environment.LONGSHORE_CHROMIUM) {
    return await exists(environment.LONGSHORE_CHROMIUM);
  }
  const folders = environment.PATH.split(delimiter);
  const found = await Promise.all(folders.map((folder) => exists(join(folder, program))));
  return found.includes(true);
}

function works([program, ...args]) {
  return new Promise((resolve) => execFile(program, args, (error) => resolve(error === null)));
}

async function exists(path) {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
