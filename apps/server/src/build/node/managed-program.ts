import type { Checkout } from '../build-plan.ts';
import { configOf, innerFolder, quotedOption } from './framework.ts';
import { parseJson } from './package-json.ts';
import { splitCommands } from './script-kind.ts';

/** Programs that keep others running. They put themselves into the background, where they count as exited. */
const MANAGERS = /^(?:pm2|pm2-runtime|pm2-docker|forever)$/;
const PROGRAM = /\.[cm]?js$/;
const PROGRAM_OR_JSON = /\.(?:json|[cm]?js)$/;
/** Options with a value that may look like a program. */
const VALUE_OPTIONS = /^(?:-[nioe]|--(?:name|env|instances|output|error|log|cwd|watch-delay))$/;

/** The files that name the program of `pm2 start`. */
export const ECOSYSTEM = /^(?:ecosystem|process|pm2)(?:\.\w+)*\.(?:json|[cm]?js)$/;

/**
 * The command that a process manager in a start script would keep running, for example `node app.js` of
 * `pm2 start app.js -i max`. Longshore restarts apps itself. Undefined when the script does something else.
 */
export function managedProgram(script: string, checkout: Checkout): string[] | undefined {
  const commands = splitCommands(script);
  const last = commands.at(-1);
  const [program = '', ...args] = last ?? [];
  const isBuilt = commands.slice(0, -1).every((words) => /\brun build\b/.test(words.join(' ')));
  if (!MANAGERS.test(program) || !isBuilt) return undefined;
  const [own, given] = separated(args);
  const target = own.find(
    (arg, at) => PROGRAM_OR_JSON.test(arg) && !VALUE_OPTIONS.test(own[at - 1] ?? ''),
  );
  if (target === undefined) return undefined;
  const file = innerFolder(target) ?? target;
  const named = ECOSYSTEM.test(file) ? programOf(file, checkout) : file;
  return named === undefined || !PROGRAM.test(named) ? undefined : ['node', named, ...given];
}

/** The arguments after `--` are those of the program. */
function separated(args: string[]): [own: string[], given: string[]] {
  const at = args.indexOf('--');
  return at === -1 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}

/** The only script in the file of an ecosystem. With several, nothing says which one serves visitors. */
function programOf(file: string, checkout: Checkout): string | undefined {
  const text = checkout.texts[file] ?? '';
  const isJson = file.endsWith('.json');
  if (isJson && parseJson(text) === undefined) return undefined;
  const config = isJson ? text.replace(/"(\w+)"\s*:/g, '$1:') : configOf(checkout, stem(file));
  const scripts = config.match(/\bscript\s*:/g) ?? [];
  return scripts.length === 1 ? innerFolder(quotedOption(config, 'script')) : undefined;
}

function stem(file: string): string {
  return file.replace(/\.[cm]?js$/, '');
}
