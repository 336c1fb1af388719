import type { Checkout } from '../build-plan.ts';

export type WantedPython = {
  /** As npm writes ranges. */
  range: string;
  /** What asks for it. */
  source: string;
};

const RANGE = /^[\d.*^~<>= |]{1,50}$/;

/** The version of Python that a project asks for; undefined when it names none. */
export function wantedPython({ texts }: Checkout): WantedPython | undefined {
  const textOf = (file: string, pattern: RegExp) => pattern.exec(texts[file] ?? '')?.[1];
  const named: [source: string, version: string | undefined][] = [
    ['.python-version', textOf('.python-version', /^\s*(\d+\.\d+)(?:\.\d+)?\s*$/m)],
    ['runtime.txt', textOf('runtime.txt', /^\s*python-(\d+\.\d+)/)],
    ['.tool-versions', textOf('.tool-versions', /^python\s+(\d+\.\d+)/m)],
    ['Pipfile', textOf('Pipfile', /^python_(?:full_)?version\s*=\s*["'](\d+\.\d+)/m)],
    ['pyproject.toml', textOf('pyproject.toml', /^requires-python\s*=\s*["']([^"']+)["']/m)],
    ['pyproject.toml', textOf('pyproject.toml', /^python\s*=\s*["']([^"']+)["']/m)],
  ];
  for (const [source, version] of named) {
    const range = version === undefined ? undefined : rangeOf(version);
    if (range !== undefined) return { range, source };
  }
  return undefined;
}

/** Python's own notation as a range of npm; excluded versions are ignored. */
function rangeOf(specifier: string): string | undefined {
  const range = specifier
    .split(',')
    .map((part) => part.replaceAll(' ', ''))
    .filter((part) => !part.startsWith('!='))
    .map((part) => part.replace(/^~=(?=\d+\.\d+$)/, '^').replace(/^~=/, '~'))
    .map((part) => part.replace(/^={2,3}/, ''))
    .join(' ');
  return RANGE.test(range) ? range : undefined;
}
