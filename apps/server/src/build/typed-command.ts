import type { Argv, BuildStep, StartCommand } from './build-plan.ts';
import { parseCommandLine } from './command-line.ts';

/** A command that a person typed. What needs a shell is run by the shell of the app's sandbox, as one argument. */
export function typedCommand(text: string): StartCommand {
  const parsed = parseCommandLine(text);
  return parsed.kind === 'command' ? parsed : { kind: 'command', argv: inShell(text), env: {} };
}

export function typedStep(kind: BuildStep['kind'], text: string): BuildStep {
  const { argv, env } = typedCommand(text);
  const isPlain = Object.keys(env).length === 0 && argv.every((word) => !word.includes('${'));
  return { kind, label: text, argv: isPlain ? argv : inShell(text) };
}

function inShell(text: string): Argv {
  return ['/bin/sh', '-c', text];
}

/** A command as it would be typed. */
export function commandText(argv: Argv): string {
  const [program, option, text] = argv;
  if (program === '/bin/sh' && option === '-c' && text !== undefined) return text;
  return argv
    .map(quoted)
    .join(' ')
    .replace(/\$\{(PORT|HOST)\}/g, '$$$1');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./${}^~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
