import { envKeyProblem, isRecord } from '@longshore/contract';
import type { Checkout } from './build-plan.ts';
import { readPlatformFiles } from './platform-files.ts';

/** Files that list the variables of an app, in order of precedence, in any case. */
export const EXAMPLE_FILES = [
  '.env.example',
  '.env.sample',
  '.env.template',
  '.env.dist',
  '.env.local.example',
  '.env.example.local',
  '.env.production.example',
  'env.example',
  'example.env',
  'sample.env',
];
const MAX_VARIABLES = 50;
const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/gm;

/** The names of the variables that the repository lists, without the values of the examples. */
export function exampleVariables(checkout: Checkout): { name: string; file: string }[] {
  const { texts } = checkout;
  const files = Object.keys(texts);
  const found = EXAMPLE_FILES.flatMap((lowerCase) =>
    files.filter((file) => file.toLowerCase() === lowerCase),
  ).flatMap((file) =>
    [...(texts[file] ?? '').matchAll(ASSIGNMENT)].map(([, name = '']) => ({ name, file })),
  );
  const ofPlatforms = readPlatformFiles(checkout).flatMap(({ file, variables = [] }) =>
    variables.map((name) => ({ name, file })),
  );
  const all = [...found, ...ofAppJson(texts['app.json']), ...ofPlatforms];
  return all
    .filter(({ name }, at) => all.findIndex((other) => other.name === name) === at)
    .filter(({ name }) => envKeyProblem(name) === undefined)
    .slice(0, MAX_VARIABLES);
}

/** Heroku's description of an app. Those that are optional or generated are left out. */
function ofAppJson(text = '{}'): { name: string; file: string }[] {
  const parsed = parse(text);
  const env = isRecord(parsed) && isRecord(parsed.env) ? parsed.env : {};
  return Object.entries(env)
    .filter(([, entry]) => !isRecord(entry) || (entry.required !== false && !entry.generator))
    .map(([name]) => ({ name, file: 'app.json' }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
