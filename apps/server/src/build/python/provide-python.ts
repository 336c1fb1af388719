import type { Argv, BuildPlan, BuildStep } from '../build-plan.ts';
import { isInRange } from '../version-range.ts';
import { type InstallingPython, withPackagesOfDay } from './packages-of-day.ts';
import { UV_ENV } from './python-install.ts';

/** The Python of the machine or of an image. */
export type MachinePython = InstallingPython & {
  arch: string;
  /** The certificates of the system, which poetry and pipenv do not find by themselves. */
  certificates?: string;
};

const PYTHON_FOLDER = '.longshore/python';
const UV_FOLDER = '.longshore/uv';
const UV = 'uv==0.8.0';

/**
 * Packages of Bytedeco on Maven Central that contain all of Python, oldest first (decision 83). Older ones lack sqlite3 or
 * need libraries that current systems do not have.
 */
const MAVEN_PACKAGES: { minor: number; package: string; sha256: Record<string, string> }[] = [
  {
    minor: 13,
    package: '3.13.5-1.5.12',
    sha256: { 'linux-x86_64': '50ad91aa0baa57f0235bb666b87d8bf2a44e215d28c250de1030502906af143b' },
  },
  {
    minor: 14,
    package: '3.14.3-1.5.13',
    sha256: {
      'linux-x86_64': 'eb5f1a6fe2dc498ac18927189a37f28a47b0ba06ae6bd85112eff023fe2eb46f',
      'linux-arm64': '75d0ac8f457bdb2d6b684796c282ce4da1e0c377a02b954de2c718f80901a15f',
    },
  },
];
const MAVEN = 'https://repo.maven.apache.org/maven2/org/bytedeco/cpython';
const PLATFORMS: Record<string, string> = { x64: 'linux-x86_64', arm64: 'linux-arm64' };
const NEWEST_MINOR = 20;
/** Downloads that do not arrive must not use up the time of the build. */
const UV_SECONDS = '120';

/**
 * Adds Python in the version that the plan names, if the one of the machine does not fit. uv downloads the newest patch
 * version from GitHub; Maven Central has the second best, and the Python of the machine has to do if both are out of reach.
 */
export function providePython(detected: BuildPlan, machine: MachinePython): BuildPlan {
  const wanted = detected.versions?.python;
  if (detected.runtime !== 'python') return detected;
  const plan = withCertificates(detected, machine);
  if (wanted === undefined || isInRange(machine.version, wanted) !== false) {
    return withPackagesOfDay(plan, machine);
  }
  return plan.steps.length === 0 ? plan : withOtherPython(plan, wanted, machine);
}

function withOtherPython(detected: BuildPlan, wanted: string, machine: MachinePython): BuildPlan {
  const version = nearestMinor(wanted, machine.version);
  const plan = withPackagesOfDay(detected, {
    ...machine,
    version: version ?? machine.version,
  });
  if (version === undefined) {
    const sentence = `No Python fits ${wanted}: using Python ${machine.version} of this machine`;
    const used = `3.${minorOf(machine.version)}`;
    const advice = `The project asks for Python ${wanted}, which cannot be installed. Update its packages for Python ${used}, and enter ${used} as Python version in the settings`;
    return {
      ...plan,
      evidence: [...plan.evidence, sentence],
      steps: withAdvice(plan.steps, advice),
    };
  }
  const sentence = `Python ${version} is installed, because ${machine.version} does not fit ${wanted}`;
  const advice = `The project asks for Python ${wanted}. If it could not be downloaded, install it on the machine, or allow Python ${machine.version}`;
  return {
    ...plan,
    evidence: [...plan.evidence, sentence],
    env: { ...UV_ENV, UV_PYTHON_INSTALL_DIR: `${UV_FOLDER}/python`, ...plan.env },
    path: [...plan.path, `${PYTHON_FOLDER}/bin`],
    steps: [...pythonSteps(version, machine), ...withAdvice(plan.steps, advice)],
  };
}

function withAdvice(steps: BuildStep[], advice: string): BuildStep[] {
  return steps.map((step) => (step.kind === 'install' ? { ...step, advice } : step));
}

function withCertificates(plan: BuildPlan, { certificates }: MachinePython): BuildPlan {
  if (certificates === undefined) return plan;
  return { ...plan, env: { REQUESTS_CA_BUNDLE: certificates, ...plan.env } };
}

/** Of the versions in the range, the one that differs least from the Python of the machine. */
function nearestMinor(range: string, machineVersion: string): string | undefined {
  const distance = (minor: number) => Math.abs(minor - minorOf(machineVersion));
  const minors = Array.from({ length: NEWEST_MINOR + 1 }, (_, minor) => minor);
  const [nearest] = minors
    .filter((minor) => isInRange(`3.${minor}.99`, range) === true)
    .sort((one, other) => distance(one) - distance(other));
  return nearest === undefined ? undefined : `3.${nearest}`;
}

/** The last step creates an environment that all later steps find first in PATH. */
function pythonSteps(version: string, machine: MachinePython): BuildStep[] {
  const setUp = (argv: Argv, orElse: Argv): BuildStep => ({
    kind: 'install',
    label: argv.join(' '),
    argv,
    inputs: [],
    orElse: [orElse],
  });
  const uv: Argv = [`${UV_FOLDER}/bin/uv`, 'venv', '--seed', '--python', version, PYTHON_FOLDER];
  return [
    setUp(['python3', '-m', 'venv', UV_FOLDER], ['true']),
    setUp([`${UV_FOLDER}/bin/python3`, '-m', 'pip', 'install', UV], ['true']),
    setUp(['timeout', UV_SECONDS, ...uv], withoutUv(version, machine)),
  ];
}

/** A newer Python than the one of the machine comes from Maven Central, an older one is replaced by the machine's. */
function withoutUv(version: string, machine: MachinePython): Argv {
  const platform = PLATFORMS[machine.arch] ?? '';
  const wanted = minorOf(version);
  const found = MAVEN_PACKAGES.find(
    ({ minor, sha256 }) => minor >= wanted && sha256[platform] !== undefined,
  );
  if (found === undefined || wanted < minorOf(machine.version)) {
    return ['python3', '-m', 'venv', PYTHON_FOLDER];
  }
  const url = `${MAVEN}/${found.package}/cpython-${found.package}-${platform}.jar`;
  return ['python3', '-c', DOWNLOAD, url, found.sha256[platform] ?? '', PYTHON_FOLDER];
}

function minorOf(version: string): number {
  return Number(version.split('.')[1] ?? 0);
}

/** Unpacks the package into the release, and creates an environment with the Python in it or with the machine's. */
const DOWNLOAD = `
import glob, hashlib, os, subprocess, sys, urllib.request, zipfile
url, sha256, target = sys.argv[1:]
cache = os.path.expanduser('~/.cache/longshore')
archive = os.path.join(cache, os.path.basename(url))
folder = target + '-base'
try:
    os.makedirs(cache, exist_ok=True)
    if not os.path.exists(archive):
        print('Downloading ' + url, flush=True)
        with urllib.request.urlopen(url, timeout=60) as response:
            content = response.read()
        with open(archive, 'wb') as file:
            file.write(content)
    with open(archive, 'rb') as file:
        if hashlib.sha256(file.read()).hexdigest() != sha256:
            os.remove(archive)
            raise OSError('the checksum of ' + url + ' does not match')
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder, [name for name in files.namelist() if '/test/' not in name])
    [python] = glob.glob(folder + '/org/bytedeco/cpython/*/bin/python3')
    os.chmod(python, 0o755)
    subprocess.check_call([python, '-c', 'import ctypes, ensurepip, sqlite3, ssl, venv'])
except (OSError, subprocess.CalledProcessError) as error:
    print('Using the Python of the machine:', error, flush=True)
    python = 'python3'
subprocess.check_call([python, '-m', 'venv', target])
`;
