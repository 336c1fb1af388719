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
const PACKAGE_LIST =
  /^(?:requirements[\w.-]*\.txt|requirements\/[\w.-]+\.txt|pyproject\.toml|Pipfile|setup\.(?:py|cfg))$/;

export function requirementsFile({ files }: Checkout): string | undefined {
  return (
    REQUIREMENTS.find((name) => files.includes(name)) ??
    files.find((name) => /^requirements\/[\w.-]+\.txt$/.test(name))
  );
}

/** Whether a list of packages names a package: at the start of a line or of a quoted string, which covers all formats. */
export function listsPackage({ texts }: Checkout, name: string): boolean {
  const lists = Object.keys(texts).filter((path) => PACKAGE_LIST.test(path));
  const pattern = new RegExp(`(?:^|["'])\\s*${name}\\s*(?:[\\[<>=!~;@,"'#(]|$)`, 'im');
  return lists.some((path) => pattern.test(texts[path] ?? ''));
}
