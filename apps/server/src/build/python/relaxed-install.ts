import type { Argv } from '../build-plan.ts';
import { companionVersions } from './companion-versions.ts';

/** Other installs of a list of packages, for the case that its versions cannot be installed with the Python that is there. */
export function relaxedInstalls(file: string, text: string): Argv[] {
  return [
    ...(COMPILED_DRIVER.test(text) ? [['python3', '-c', INSTALL_WITH_BINARY, file] as const] : []),
    ...(PINNED.test(text) && !HASHED.test(text)
      ? [['python3', '-c', INSTALL_NEWER, file, ...companionVersions(text)] as const]
      : []),
  ];
}

/** The text of a list, with the lists that it includes. */
const READ_LIST = `
def read(path):
    def included(line):
        return read(os.path.join(os.path.dirname(path), line.group(1)))
    with open(path) as file:
        return re.sub(r'(?m)^\\s*(?:-r|--requirement)[ =]*(\\S+).*$', included, file.read())
`;
/** The driver of Postgres is compiled, which needs headers of Postgres. The same is there as a binary, under another name. */
const COMPILED_DRIVER = /^psycopg2(?![\w-])/m;
const INSTALL_WITH_BINARY = `
import os, re, subprocess, sys
${READ_LIST}
path = sys.argv[1]
text = re.sub(r'(?m)^psycopg2(?![\\w-])[^;#\\n]*', 'psycopg2-binary ', read(path))
target = os.path.join(os.path.dirname(path), 'longshore-requirements.txt')
with open(target, 'w') as file:
    file.write(text)
sys.exit(subprocess.call([sys.executable, '-m', 'pip', 'install', '--requirement', target]))
`;

const PINNED = /^\s*[A-Za-z][\w.-]*(?:\[[^\]]*\])?\s*==/m;
/** A list with hashes allows these files and no others. */
const HASHED = /\s--hash[= ]/;
/** Versions from before this Python have no binaries for it, and often cannot be compiled. Later ones of the same major version have. */
const INSTALL_NEWER = `
import os, re, subprocess, sys
${READ_LIST}
path, *others = sys.argv[1:]
pin = re.compile(r'^(\\s*[A-Za-z][\\w.-]*(?:\\[[^\\]]*\\])?)\\s*==\\s*((\\d+)(?:\\.\\d+)*[\\w.]*)(?:\\+[\\w.]+)?(?![\\w.*])(.*)$')

def newer(line):
    line = re.sub(r'^psycopg2(?![\\w-])', 'psycopg2-binary', line)
    found = pin.match(line)
    if found is None:
        return line
    name, version, major, rest = found.groups()
    return name + '>=' + version + ',<' + str(int(major) + 1) + rest

print('The listed versions cannot be installed: installing newer ones of the same major version', flush=True)
lines = re.sub(r'\\\\\\n', ' ', read(path)).splitlines()
target = os.path.join(os.path.dirname(path), 'longshore-requirements.txt')
with open(target, 'w') as file:
    file.write('\\n'.join(map(newer, lines)) + '\\n')
pip = [sys.executable, '-m', 'pip', 'install', '--prefer-binary', '--requirement', target]
sys.exit(subprocess.call(pip + others))
`;
