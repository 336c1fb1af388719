import { isForDevelopment, splitCommands } from './script-kind.ts';

/** Options of these programs that take a value. */
const VALUE_OPTIONS =
  /^(?:-[weix]|--(?:watch|ext|exec|ignore|delay|signal|config|env-file|import|require|loader|project)|-r|-P)$/;

/**
 * The command of a script for development that also runs in production, for example `node app.js` of `nodemon app.js`;
 * undefined when the script does something else.
 */
export function watchedProgram(script: string): string[] | undefined {
  const commands = splitCommands(script);
  const [words] = commands;
  if (commands.length !== 1 || words === undefined) return undefined;
  const [program = '', ...args] = words;
  if (/^(?:nodemon|node-dev|supervisor)$/.test(program)) return nodemonTarget(args);
  if (/^(?:ts-node-dev|tsnd)$/.test(program)) return targetOf(args, 'ts-node');
  if (program === 'tsx' && args[0] === 'watch') return targetOf(args.slice(1), 'tsx');
  if (/^(?:node|bun)$/.test(program)) {
    const kept = args.filter((arg) => !/^--(?:watch|hot)(?:$|=|-)/.test(arg));
    const isWatching = kept.length < args.length;
    return isWatching || isForDevelopment(script) ? [program, ...kept] : undefined;
  }
  return undefined;
}

function nodemonTarget(args: string[]): string[] | undefined {
  const at = args.findIndex((arg) => arg === '--exec' || arg === '-x');
  if (at === -1) return targetOf(args, 'node');
  const program = args[at + 1]?.split(/\s+/) ?? [];
  const rest = targetOf([...args.slice(0, at), ...args.slice(at + 2)], '') ?? [''];
  return program.length === 0 ? undefined : [...program, ...rest.slice(1)];
}

/** The first argument that is no option, and what follows it. */
function targetOf(args: string[], program: string): string[] | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (VALUE_OPTIONS.test(arg)) at += 1;
    else if (!arg.startsWith('-')) return [program, ...args.slice(at)];
  }
  return undefined;
}
