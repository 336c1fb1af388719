import { appNameProblem } from './app-name.ts';
import { envKeyProblem } from './env-key.ts';

/** `${{api.URL}}` in the value of a variable: a variable or an address of another app of the project. */
export type Reference = { app: string; variable: string };

/** What every app offers besides its variables. A variable of one of these names cannot be referred to. */
export const ADDRESS_VARIABLES = ['URL', 'HOST', 'PORT'] as const;

export type AddressVariable = (typeof ADDRESS_VARIABLES)[number];

/** A value of a variable in parts. `malformed`: begins like a reference and is none. */
export type ValuePart =
  | { kind: 'text'; text: string }
  | { kind: 'reference'; reference: Reference }
  | { kind: 'malformed'; text: string };

const OPENING = '${{';
const CLOSING = '}}';
const LITERAL = '$${{';
/** A literal, a reference, or an opening without an end. */
const MARKED = /\$\$\{\{|\$\{\{(.*?)\}\}|\$\{\{.*/gs;
/** So much of something malformed is shown. */
const SHOWN_LENGTH = 40;

/** `$${{` is the text `${{`. */
export function valueParts(value: string): ValuePart[] {
  const parts: ValuePart[] = [];
  let end = 0;
  for (const match of value.matchAll(MARKED)) {
    if (match.index > end) parts.push({ kind: 'text', text: value.slice(end, match.index) });
    parts.push(markedPart(match[0], match[1]));
    end = match.index + match[0].length;
  }
  if (end < value.length) parts.push({ kind: 'text', text: value.slice(end) });
  return parts;
}

function markedPart(text: string, inner: string | undefined): ValuePart {
  if (text === LITERAL) return { kind: 'text', text: OPENING };
  return inner === undefined ? { kind: 'malformed', text } : referencePart(inner);
}

function referencePart(inner: string): ValuePart {
  const trimmed = inner.trim();
  const dot = trimmed.indexOf('.');
  const [app, variable] = [trimmed.slice(0, Math.max(0, dot)), trimmed.slice(dot + 1)];
  return appNameProblem(app) === undefined && envKeyProblem(variable) === undefined
    ? { kind: 'reference', reference: { app, variable } }
    : { kind: 'malformed', text: `${OPENING}${inner}${CLOSING}` };
}

/** Each once, in the order of the value. */
export function referencesIn(value: string): Reference[] {
  const byText = new Map<string, Reference>();
  for (const part of valueParts(value)) {
    if (part.kind === 'reference') byText.set(referenceText(part.reference), part.reference);
  }
  return [...byText.values()];
}

export function referenceText({ app, variable }: Reference): string {
  return `${OPENING}${app}.${variable}${CLOSING}`;
}

/** Why a value cannot be stored: it has something that begins like a reference and is none. */
export function referenceProblem(value: string): string | undefined {
  const malformed = valueParts(value).find((part) => part.kind === 'malformed');
  if (malformed?.kind !== 'malformed') return undefined;
  const { text } = malformed;
  const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  return `${shown} is not a reference such as ${OPENING}api.URL${CLOSING}. Write ${LITERAL} for the text ${OPENING}`;
}

/** The value whose text is this one, as it was before there were references. */
export function escapeReferences(text: string): string {
  return text.replaceAll(OPENING, () => LITERAL);
}

/** The value as an app gets it, but for its references. */
export function unescapeReferences(value: string): string {
  return value.replaceAll(LITERAL, () => OPENING);
}
