import { findTool, missingTools, packagesOf } from '../../apps/server/src/sandbox/tools.mjs';
import { runCommand } from './run-command.mjs';

const DEADLINE_MS = 120_000;
const LIST = new Intl.ListFormat('en');

/** A mirror that does not respond, or another program that installs packages, must not hold up the start. */
const OPTIONS = [
  '-qq',
  ...['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=15'],
  ...['-o', 'DPkg::Lock::Timeout=30', '-o', 'Dpkg::Options::=--force-confold'],
];
const INSTALL = ['install', '-y', '--no-install-recommends'];

/**
 * Installs the missing tools that isolate apps, as root on Debian and Ubuntu. Without them the server starts too, but then
 * only the first account may deploy: so a failure is one sentence for the operator. Elsewhere the server names what is missing.
 */
export async function installTools({
  environment = process.env,
  isRoot = process.getuid?.() === 0,
  step,
  print,
  missing = missingTools,
  findApt = () => findTool('apt-get'),
  run = runCommand,
  deadline = () => AbortSignal.timeout(DEADLINE_MS),
}) {
  const packages = packagesOf(missing());
  const apt = findApt();
  if (packages.length === 0 || !isRoot || apt === undefined || process.platform !== 'linux') return;
  if (environment.LONGSHORE_INSTALL_TOOLS?.trim() === 'false') return;
  const env = { ...environment, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await step(`Install ${LIST.format(packages)}`, () =>
      installPackages(packages, { apt, run, env, signal: deadline() }),
    );
  } catch (error) {
    if (!(error instanceof InstallFailed)) throw error;
    print(
      `${LIST.format(packages)} could not be installed: ${error.message}. To isolate apps, run "apt-get install ${packages.join(' ')}" and restart Longshore.`,
    );
  }
}

class InstallFailed extends Error {}

async function installPackages(packages, { apt, run, env, signal }) {
  const output = [];
  const options = { env, onOutput: (chunk) => void output.push(chunk) };
  async function aptGet(args, stop) {
    try {
      return await run([apt, ...OPTIONS, ...args], { ...options, signal: stop });
    } catch (error) {
      throw new InstallFailed(signal.aborted ? 'it took too long' : error.message);
    }
  }
  // Its failure is not final: the packages may be known already.
  await aptGet(['update'], signal);
  const downloaded = await aptGet([...INSTALL, '--download-only', ...packages], signal);
  // Has no deadline: it is short, and stopping it would leave packages half installed.
  const code = downloaded === 0 ? await aptGet([...INSTALL, ...packages]) : downloaded;
  if (code !== 0)
    throw new InstallFailed(reasonIn(output.join('')) ?? `apt-get exited with ${code}`);
}

/** The last error of apt, without its mark and full stop. */
function reasonIn(output) {
  const errors = output.split('\n').filter((line) => line.startsWith('E: '));
  return errors.at(-1)?.slice('E: '.length).trim().replace(/\.$/, '');
}
