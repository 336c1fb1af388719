/** How Node says that an import could not be resolved: the name of a package, or the path of a file. */
const OF_NODE = /Cannot find (?:module|package) '([^']+)'/;
const OF_PYTHON = /^ModuleNotFoundError: No module named '([\w.]+)'/;
/** Where apps are, in containers and in sandboxes. */
const APP_FOLDER = /^(?:file:\/\/)?\/app\//;

/** How clients of Postgres, MySQL, Redis and MongoDB say that none runs beside the app. */
const NO_DATABASE =
  /ECONNREFUSED (?:127\.0\.0\.1|::1|localhost):(?:5432|3306|6379|27017)\b|\b(?:127\.0\.0\.1|localhost)\b.{0,40}\b(?:5432|3306|6379|27017)\b.*refused/;

/** What to do about a crash because a package, a file or a database is missing. */
export function crashAdvice(lines: readonly string[]): string[] {
  for (const line of lines) {
    if (NO_DATABASE.test(line)) {
      return [
        'The app connects to a database beside itself, where none runs: set the variable with the address of your database',
      ];
    }
    const [, imported] = OF_NODE.exec(line) ?? [];
    if (imported !== undefined) return nodeAdvice(imported);
    const [, module] = OF_PYTHON.exec(line) ?? [];
    if (module !== undefined) {
      return [
        `The Python module ${module} is not installed: add its package to the dependencies of the project, such as requirements.txt, and push`,
      ];
    }
  }
  return [];
}

function nodeAdvice(imported: string): string[] {
  if (APP_FOLDER.test(imported)) {
    const file = imported.replace(APP_FOLDER, '');
    return [
      `There is no file ${file}. If a build writes it, enter the build command; otherwise correct the start command or the import`,
    ];
  }
  const [name] = /^(?:@[\w.-]+\/)?[\w-][\w.-]*/.exec(imported) ?? [];
  return name === undefined || imported.startsWith('node:')
    ? []
    : [
        `The package ${name} is not installed: add it to the dependencies in package.json, and push`,
      ];
}
