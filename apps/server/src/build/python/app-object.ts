/** The object that a server imports, and the package of its framework. */
export type AppObject = {
  kind: 'asgi' | 'wsgi' | 'sanic' | 'dash';
  /** A variable, or a function that returns the object: `create_app()`. */
  name: string;
  package: string;
};

type Framework = { kind: AppObject['kind']; package: string; classes: string };

/** In order of precedence: Quart, for example, also accepts what Flask calls its classes. */
const FRAMEWORKS: Framework[] = [
  { kind: 'asgi', package: 'fastapi', classes: 'FastAPI' },
  { kind: 'asgi', package: 'starlette', classes: 'Starlette' },
  { kind: 'asgi', package: 'quart', classes: 'Quart' },
  { kind: 'asgi', package: 'litestar', classes: 'Litestar' },
  { kind: 'asgi', package: 'python-fasthtml', classes: 'FastHTML|fast_app' },
  { kind: 'sanic', package: 'sanic', classes: 'Sanic' },
  { kind: 'wsgi', package: 'flask', classes: 'Flask' },
  { kind: 'wsgi', package: 'apiflask', classes: 'APIFlask' },
  { kind: 'wsgi', package: 'bottle', classes: 'Bottle' },
  { kind: 'wsgi', package: 'falcon', classes: 'falcon\\.(?:App|API)' },
  { kind: 'dash', package: 'dash', classes: 'Dash' },
];

/** The app object in a file of a project that lists some frameworks. */
export function appObjectIn(
  file: string,
  text: string,
  lists: (name: string) => boolean,
): AppObject | undefined {
  const dash = /^(\w+)\s*=\s*\w+\.server\b/m.exec(text)?.[1];
  if (dash !== undefined && /\bDash\(/.test(text)) {
    return { kind: 'wsgi', name: dash, package: 'dash' };
  }
  for (const framework of FRAMEWORKS) {
    const { kind, classes } = framework;
    const name = variableOf(text, classes) ?? factoryOf(text, classes);
    if (name !== undefined) return { kind, name, package: framework.package };
  }
  const name = importedOrMade(file, text);
  const framework = FRAMEWORKS.find((it) => lists(it.package));
  return name === undefined || framework === undefined
    ? undefined
    : { kind: framework.kind, name, package: framework.package };
}

function variableOf(text: string, classes: string): string | undefined {
  const pattern = `^(\\w+)\\s*(?:,\\s*\\w+\\s*)*(?::[^=\\n]+)?=\\s*(?:\\w+\\.)*(?:${classes})\\(`;
  return new RegExp(pattern, 'm').exec(text)?.[1];
}

/** A function without required arguments that returns the object. */
function factoryOf(text: string, classes: string): string | undefined {
  const made = /^(\w+)\s*=\s*(?:\w+\.)*(?:create|make|get|build|init)_app\w*\(/m.exec(text)?.[1];
  const usesClass = new RegExp(`\\b(?:${classes})\\(`).test(text);
  if (made !== undefined && usesClass) return made;
  const [, factory] =
    /^def ((?:create|make)_app)\(\s*(?:\)|\w+\s*(?::[^=,)]+)?=)/m.exec(text) ?? [];
  return factory !== undefined && usesClass ? `${factory}()` : undefined;
}

/** An object that another module makes. */
function importedOrMade(file: string, text: string): string | undefined {
  const made =
    /^(app|application|api|server)\s*(?::[^=\n]+)?=\s*(?:\w+\.)*(?:create|make|get|build|init)_\w+\(/m;
  const imported = /^from\s+\S+\s+import\s+(?:.*\bas\s+)?(application|app)\b/m;
  const isEntry = /(?:^|\/)[aw]sgi\.py$/.test(file) || /^\s*app\.run\(/m.test(text);
  return made.exec(text)?.[1] ?? (isEntry ? imported.exec(text)?.[1] : undefined);
}
