import type { Argv } from '../build-plan.ts';

/**
 * Poetry writes the Python that the project asks for into each line of its list. With another one, pip would leave out every
 * package and report success.
 */
export function allowOtherPython(list: string): Argv {
  return ['python3', '-c', ALLOW, list];
}

const ALLOW = `
import re, sys
from pip._vendor.packaging.requirements import Requirement
path = sys.argv[1]
with open(path) as file:
    text = file.read()
listed = [line for line in text.splitlines() if re.match(r'[A-Za-z]', line)]
markers = [Requirement(line).marker for line in listed]
if listed and not any(marker is None or marker.evaluate() for marker in markers):
    print('The lock file is for another Python: installing its packages with Python %d.%d' % sys.version_info[:2], flush=True)
    condition = r'python(?:_full)?_version\\s*(?:===?|!=|<=?|>=?|~=)\\s*"[^"]*"'
    with open(path, 'w') as file:
        file.write(re.sub(condition, 'python_version >= "3"', text))
`;
