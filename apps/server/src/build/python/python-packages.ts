import type { Checkout } from '../build-plan.ts';

/** The lists of packages that pip reads, in order of precedence: the first one is installed. */
const REQUIREMENTS = [
  'requirements.txt',
  'requirements/production.txt',
  'requirements/prod.txt',
  'requirements-prod.txt',
  'requirements/base.txt',
  'requirements/main.txt',
];
const INCLUDED = /^[ \t]*(?:-r|--requirement)[ =]*(\S+).*$/gm;
const MAX_INCLUDED = 5;
const PACKAGE_LIST =
  /^(?:requirements[\w.-]*\.txt|requirements\/[\w.-]+\.txt|pyproject\.toml|Pipfile|setup\.(?:py|cfg))$/;

export function requirementsFile({ files }: Checkout): string | undefined {
  return (
    REQUIREMENTS.find((name) => files.includes(name)) ??
    files.find((name) => /^requirements\/[\w.-]+\.txt$/.test(name))
  );
}

/** The text of a list, with the lists that it includes. */
export function requirementsText({ texts }: Checkout, file: string): string {
  return withIncluded(texts, file, MAX_INCLUDED);
}

function withIncluded(texts: Checkout['texts'], file: string, depth: number): string {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  return (texts[file] ?? '').replaceAll(INCLUDED, (line, name: string) => {
    const path = folder + name;
    return depth === 0 || texts[path] === undefined ? line : withIncluded(texts, path, depth - 1);
  });
}

/** Whether a list of packages names a package: at the start of a line or of a quoted string, which covers all formats. */
export function listsPackage({ texts }: Checkout, name: string): boolean {
  const lists = Object.keys(texts).filter((path) => PACKAGE_LIST.test(path));
  const pattern = new RegExp(`(?:^|["'])\\s*${name}\\s*(?:[\\[<>=!~;@,"'#(]|$)`, 'im');
  return lists.some((path) => pattern.test(texts[path] ?? ''));
}
