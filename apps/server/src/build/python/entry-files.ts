/** Names of entry files, in order of precedence; `__init__` stands for the package itself. */
const NAMES = 'main app wsgi asgi server application run api web index'.split(' ');
const FOLDERS = ['', 'app/', 'src/', 'api/', 'backend/', 'server/'];
/** Python programs that serve nothing. */
const OTHER_FILE =
  /(?:^|\/)(?:setup|conftest|noxfile|fabfile|tasks|settings|config|test_\w*|\w*_test|tests)\.py$/;
const OTHER_FOLDER =
  /(?:^|\/)(?:tests?|docs?|examples?|samples?|scripts?|tools?|benchmarks?|migrations|alembic)\//;

/** The files that may hold the app of a Python project, the likeliest first. */
export function entryFiles(files: string[]): string[] {
  const usual = FOLDERS.flatMap((folder) =>
    (folder === '' ? NAMES : [...NAMES, '__init__']).map((name) => `${folder}${name}.py`),
  );
  const others = otherProjects(files);
  const isPart = (file: string) => !others.some((folder) => file.startsWith(`${folder}/`));
  const programs = files.filter(
    (file) =>
      file.endsWith('.py') && !OTHER_FILE.test(file) && !OTHER_FOLDER.test(file) && isPart(file),
  );
  const atRoot = programs.filter((file) => !file.includes('/'));
  const packages = [...NAMES, '__init__'].flatMap((name) =>
    programs.filter((file) => new RegExp(`^(?:src/)?\\w+/${name}\\.py$`).test(file)),
  );
  const known = usual.filter((file) => files.includes(file) && isPart(file));
  return [...new Set([...known, ...atRoot.sort(), ...packages])];
}

const LIST = /^(?:(.+)\/)?(?:requirements\.txt|pyproject\.toml|Pipfile|setup\.py)$/;

/** The folders with lists of packages, if the project itself has none. */
function otherProjects(files: string[]): string[] {
  const folders = files.map((file) => LIST.exec(file)).filter((found) => found !== null);
  const isListed = folders.some(([, folder]) => folder === undefined);
  return isListed ? [] : folders.flatMap(([, folder]) => folder ?? []);
}
