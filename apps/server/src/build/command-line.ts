import type { Argv, StartCommand } from './build-plan.ts';
import { SHELL_WORDS } from './plain-command.ts';

/** Placeholders for the values that the app gets when it starts. */
export const PORT = `\${PORT}`;
export const HOST = `\${HOST}`;

export type CommandLine = StartCommand | { kind: 'needs-shell'; because: string };

/** The supported pieces of a command line, one alternative for each. */
const PIECE =
  /(?<space>[ \t]+)|\$(?:(?<name>PORT|HOST)(?!\w)|\{(?<braced>PORT|HOST)(?::-[^{}$`"'\\]*)?\})|'(?<single>[^'$]*)'|"(?<double>[^"$`\\]*)"|\\(?<escaped>.)|(?<plain>[^\s$'"\\|&;<>()`*?[#~][^\s$'"\\|&;<>()`*?[]*)/y;
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/;

/**
 * Parses a command line that needs no shell: words, quotes, leading assignments, and the variables PORT and HOST.
 */
export function parseCommandLine(line: string): CommandLine {
  const text = line.trim();
  const words: string[] = [];
  let word: string | undefined;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const at = PIECE.lastIndex;
    const { groups } = PIECE.exec(text) ?? {};
    if (groups === undefined) return { kind: 'needs-shell', because: unsupportedPartAt(text, at) };
    if (groups.space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + pieceText(groups);
    }
  }
  if (word !== undefined) words.push(word);
  return toCommand(words);
}

/** Replaces the placeholders in the argv by their values. */
export function fillVariables(argv: Argv, values: Record<string, string>): Argv {
  const fill = (word: string) =>
    word.replace(/\$\{(PORT|HOST)\}/g, (_, name) => values[name] ?? '');
  const [program, ...args] = argv;
  return [fill(program), ...args.map(fill)];
}

function pieceText(groups: Record<string, string | undefined>): string {
  const { name, braced, single, double, escaped, plain } = groups;
  const variable = name ?? braced;
  if (variable !== undefined) return `\${${variable}}`;
  return single ?? double ?? escaped ?? plain ?? '';
}

function toCommand(words: string[]): CommandLine {
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  const assigned = words.slice(0, first === -1 ? words.length : first);
  const [program, ...args] = words.slice(assigned.length);
  // `exec` has no effect, because no shell is started.
  if (program === 'exec') return toCommand([...assigned, ...args]);
  if (program === undefined) return { kind: 'needs-shell', because: 'it names no program' };
  if (SHELL_WORDS.has(program)) return { kind: 'needs-shell', because: `of ${program}` };
  if (assigned.some((word) => word.includes('$'))) {
    return { kind: 'needs-shell', because: 'a variable is set to another one' };
  }
  const pairs = assigned.map((word) => ASSIGNMENT.exec(word)?.slice(1) ?? []);
  return { kind: 'command', argv: [program, ...args], env: Object.fromEntries(pairs) };
}

function unsupportedPartAt(text: string, at: number): string {
  const [unsupported] = /^(?:&&|\|\||\$\(|\$\{?\w+\}?|.)/.exec(text.slice(at)) ?? [''];
  return `of ${unsupported}`;
}
