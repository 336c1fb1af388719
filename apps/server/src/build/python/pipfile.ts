import type { Argv } from '../build-plan.ts';

/** The lists that the script below writes: of the lock file, and of the Pipfile. */
export type PipfileLists = { locked: string; loose: string };

/**
 * Writes the packages of a Pipfile and of its lock file as lists for pip. pipenv itself refuses lock files of other versions, and
 * Pipfiles that name another Python than the one that is there.
 */
export function exportPipfile({ locked, loose }: PipfileLists): Argv {
  return ['python3', '-c', EXPORT, locked, loose];
}

const EXPORT = `
import json, os, sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib

# Packages of their time import what Python 3.10 no longer has.
OLD_PYTHONS = ('2.7', '3.4', '3.5', '3.6', '3.7')

def requirement(name, wanted):
    wanted = {'version': wanted} if isinstance(wanted, str) else wanted
    if 'path' in wanted:
        return ('--editable ' if wanted.get('editable') else '') + wanted['path']
    extras = ','.join(wanted.get('extras', []))
    line = name + ('[' + extras + ']' if extras else '')
    if 'git' in wanted:
        line += ' @ git+' + wanted['git'] + ('@' + wanted['ref'] if 'ref' in wanted else '')
    elif 'file' in wanted:
        line += ' @ ' + wanted['file']
    elif wanted.get('version', '*') != '*':
        line += wanted['version']
    markers = [wanted['markers']] if 'markers' in wanted else []
    for key in ('os_name', 'platform_machine', 'platform_system', 'python_version', 'sys_platform'):
        markers += [key + ' ' + wanted[key]] if key in wanted else []
    return line + (' ; ' + ' and '.join('(' + it + ')' for it in markers) if markers else '')

def write(target, packages, sources):
    named = [it.get('index') for it in packages.values() if isinstance(it, dict)]
    lines = ['--extra-index-url ' + it['url'] for it in sources[1:] if it.get('name') in named]
    lines += [requirement(name, wanted) for name, wanted in packages.items()]
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, 'w') as file:
        file.write('\\n'.join(lines) + '\\n')

with open('Pipfile', 'rb') as file:
    pipfile = tomllib.load(file)
packages = pipfile.get('packages', {})
if packages.pop('psycopg2', None) is not None:
    # The same without a compiler.
    packages['psycopg2-binary'] = '*'
write(sys.argv[2], packages, pipfile.get('source', []))
if os.path.exists('Pipfile.lock'):
    with open('Pipfile.lock') as file:
        lock = json.load(file)
    wanted = lock.get('_meta', {}).get('requires', {}).get('python_version', '')
    if wanted in OLD_PYTHONS and sys.version_info >= (3, 10):
        print('The lock file is for Python ' + wanted + ': installing what the Pipfile allows', flush=True)
        lock = {'default': packages, '_meta': {'sources': pipfile.get('source', [])}}
    write(sys.argv[1], lock.get('default', {}), lock.get('_meta', {}).get('sources', []))
`;
