import { ALWAYS_SET, envKeyProblem, type Fix } from '@longshore/contract';
import { lastTraceback } from './python/traceback.ts';

type VariableFix = Extract<Fix, { kind: 'variable' }>;

/** What is known about a failed app. */
export type FailedApp = {
  /** Its last lines. */
  lines: readonly string[];
  /** The names of its variables. */
  set: readonly string[];
  /** The names in example files of its repository. */
  examples: readonly { name: string; file: string }[];
  /** The names that its programs read without a default. */
  read?: readonly { name: string; file: string }[];
};

/** SvelteKit compiles variables into the app, so the build fails without them, one after another. */
const COMPILED = /"([A-Z][A-Z0-9_]{2,63})" is not exported by "[^"]*\benv\/static\//;

const MAX_NAMES = 10;
const MAX_LINE_LENGTH = 2_000;

/** Says that something is missing, in the words of the usual languages and libraries. */
const LACKS =
  /\bmissing\b|\brequired\b|\bundefined\b|\bunset\b|\bnot (?:been |yet )?(?:set|defined|found|provided|configured|present|specified|exist)\b|\b(?:isn['’]t|wasn['’]t) (?:set|defined|provided)\b|\b(?:must|should|has to|needs to) be (?:set|defined|provided|specified|configured|present|non-?empty)\b|\b(?:is|are|be) empty\b|\b(?:please|must|set|define|provide|specify|add) (?:set|define|provide|specify|add|configure)?\b|\bKeyError\b|\bNotPresent\b|unbound variable|parameter (?:null or )?not set|could not resolve placeholder/i;
/** Says that it is about the environment. */
const OF_ENVIRONMENT =
  /environment|\benv\b|\benv\.|environ\b|process\.env|import\.meta\.env|\bvariables?\b|\bKeyError\b|NotPresent|unbound variable|parameter (?:null or )?not set|UndefinedValueError/i;
/** About names of a program, not of its environment. */
const OF_PROGRAM = /\b(?:ReferenceError|NameError|SyntaxError|ModuleNotFoundError|ImportError)\b/;
/** A list of names follows. */
const HEADER =
  /(?:missing|required|invalid|following)\b.*\b(?:env\b|environment|variables?).*:\s*$/i;
const NAME = /(?:(?<=\benv\.)|(?<![\w.-]))[A-Z][A-Z0-9_]{2,63}(?![\w-]|\.\w)/g;
const LISTED_NAME = /^[\s\-*•>|"'`[{(❌✖×]*([A-Z][A-Z0-9_]{2,63})\b/u;
/** Words in capitals that are no variables; STATIC_ROOT is a setting of Django that is a folder of the project. */
const NO_VARIABLE =
  /^(?:ERR_\w+|E[A-Z]{4,}|\w*NOT_FOUND|ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|CRITICAL|FAILED|HTTPS?|URL|URI|API|JSON|HTML|CSS|SQL|TLS|SSL|TCP|UDP|DNS|UUID|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|NULL|TRUE|FALSE|NODE|NPM|ENV|NOT|MUST|THE|AND|STATIC_ROOT)$/;
/** The usual ports of databases, on the machine itself. */
const DATABASE_REFUSED =
  /(?:ECONNREFUSED|connection (?:to .* )?(?:refused|failed)|could not connect|can['’]t connect|no reachable servers)/i;
const OF_DATABASE = /DATABASE|POSTGRES|^PG|MYSQL|MARIADB|MONGO|REDIS|(?:^|_)DB(?:_|$)/;

/**
 * The variables that a failed app probably needs. Names in its last lines count most, then those that the failing files read
 * without a value; a refused connection counts for the example variables of databases; without any of these, the examples are
 * all that is known. A build that compiles variables into the app needs all of them.
 */
export function missingVariables({ lines, set, examples, read = [] }: FailedApp): VariableFix[] {
  const isMissing = (name: string) =>
    !set.includes(name) && !ALWAYS_SET.has(name) && envKeyProblem(name) === undefined;
  const named = [
    ...namesIn(lines, examples),
    ...(compilesVariables(lines) ? examples.map(({ name }) => name) : []),
  ].filter((name, at, all) => isMissing(name) && all.indexOf(name) === at);
  if (named.length > 0) {
    return named
      .slice(0, MAX_NAMES)
      .map((name) => ({ kind: 'variable', name, source: { kind: 'message' } }));
  }
  const empty = readWithoutValue(lines, read).filter(
    ({ name }, at, all) => isMissing(name) && all.findIndex((it) => it.name === name) === at,
  );
  if (empty.length > 0) {
    return empty
      .slice(0, MAX_NAMES)
      .map(({ name, file }) => ({ kind: 'variable', name, source: { kind: 'code', file } }));
  }
  const listed = examples.filter(({ name }) => isMissing(name));
  const ofDatabases = lines.some((line) => DATABASE_REFUSED.test(line))
    ? listed.filter(({ name }) => OF_DATABASE.test(name))
    : [];
  return (ofDatabases.length > 0 ? ofDatabases : listed)
    .slice(0, MAX_NAMES)
    .map(({ name, file }) => ({ kind: 'variable', name, source: { kind: 'file', file } }));
}

export function compilesVariables(lines: readonly string[]): boolean {
  return lines.some((line) => COMPILED.test(line));
}

/** A missing variable is None in Python. The files in the call that failed read it. */
function readWithoutValue(
  lines: readonly string[],
  read: NonNullable<FailedApp['read']>,
): NonNullable<FailedApp['read']> {
  const traceback = lastTraceback(lines);
  if (traceback === undefined || !/\bNone(?:Type)?\b/.test(traceback.error)) return [];
  const files = traceback.ownFiles.map((own) =>
    read
      .map(({ file }) => file)
      .filter((file) => own.endsWith(`/${file}`))
      .reduce((longest, file) => (file.length > longest.length ? file : longest), ''),
  );
  return read.filter(({ file }) => files.includes(file));
}

function namesIn(lines: readonly string[], examples: FailedApp['examples']): string[] {
  const texts = lines.map((line) => line.slice(0, MAX_LINE_LENGTH));
  const isExample = (name: string) => examples.some((example) => example.name === name);
  const names: string[] = [];
  let isInList = false;
  for (const text of texts) {
    const [, listed] = LISTED_NAME.exec(text) ?? [];
    if (isInList && listed !== undefined) names.push(listed);
    isInList = HEADER.test(text) || (isInList && listed !== undefined);
    if (!LACKS.test(text) || OF_PROGRAM.test(text)) continue;
    const isOfEnvironment = OF_ENVIRONMENT.test(text);
    const found = text.match(NAME) ?? [];
    names.push(...found.filter((name) => isOfEnvironment || name.includes('_') || isExample(name)));
  }
  const compiled = texts.flatMap((text) => COMPILED.exec(text)?.[1] ?? []);
  const all = [
    ...names,
    ...compiled,
    ...issuePaths(texts),
    ...issueLists(texts),
    ...pydanticFields(texts),
  ];
  return [...new Set(all)].filter((name) => !NO_VARIABLE.test(name));
}

/** Zod prints its issues over several lines, with the name in the path. */
function issuePaths(lines: string[]): string[] {
  const paths = lines.join('\n').matchAll(/\bpath["']?: \[\s*["']([A-Z][A-Z0-9_]{2,63})["']\s*\]/g);
  return [...paths].flatMap(([, name]) => name ?? []);
}

/** Zod also prints a list of problems below each name. */
function issueLists(lines: string[]): string[] {
  const lists = lines
    .join('\n')
    .matchAll(/["']?\b([A-Z][A-Z0-9_]{2,63})["']?: \[\s*["'](?:Required|Invalid|Expected)\b/g);
  return [...lists].flatMap(([, name]) => name ?? []);
}

/** Pydantic prints the name of a field in lower case, and the problem on the next line. */
function pydanticFields(lines: string[]): string[] {
  const fields = lines.join('\n').matchAll(/^(\w{3,64})\n\s+[Ff]ield required/gm);
  return [...fields].flatMap(([, name]) => name?.toUpperCase() ?? []);
}
