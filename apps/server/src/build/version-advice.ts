import { lastTraceback } from './python/traceback.ts';
import { isInRange } from './version-range.ts';

const PATCHES = 100;
/** Errors in the code of a project that another version of Python or of a package explains. */
const OF_VERSION = /^(?:ImportError|ModuleNotFoundError|SyntaxError|AttributeError: module)\b/;
/** The folder of a Python in the lines of its errors, such as `/app/.venv/lib/python3.11/site-packages/…`. */
const PYTHON = /\/python(3\.\d+)\//;

/**
 * What to do about a crash of an app that runs with another Python than its project asks for, because that one could not be
 * installed (decision 83). `wanted`: as a range; undefined if it asks for none.
 */
export function versionAdvice(lines: readonly string[], wanted: string | undefined): string[] {
  const used = lines.map((line) => PYTHON.exec(line)?.[1]).find((it) => it !== undefined);
  if (wanted === undefined || used === undefined) return [];
  const traceback = lastTraceback(lines);
  if (traceback?.isRaisedByProject === true && !OF_VERSION.test(traceback.error)) return [];
  const fits = (patch: number) => isInRange(`${used}.${patch}`, wanted) !== false;
  if (Array.from({ length: PATCHES }, (_, patch) => patch).some(fits)) return [];
  return [
    `The project asks for Python ${wanted}, which could not be installed: it runs with Python ${used}.`,
    `Install Python ${wanted} on this machine and redeploy, or update the packages for Python ${used} and enter ${used} as Python version in the settings.`,
  ];
}
