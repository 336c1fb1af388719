import { ANSI_SEQUENCE } from '@longshore/contract';

/** A run of text in one style. `colour` is one of the eight terminal colours. */
export type AnsiSpan = { text: string; colour?: number; isBold?: boolean; isDim?: boolean };
type Style = Omit<AnsiSpan, 'text'>;

/** Colours become styles; every other control sequence is removed. The text is never parsed as markup. */
export function ansiSpans(text: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let style: Style = {};
  let end = 0;
  for (const match of text.matchAll(ANSI_SEQUENCE)) {
    if (match.index > end) spans.push({ text: text.slice(end, match.index), ...style });
    if (match[2] === 'm') style = styleAfter(style, match[1] ?? '');
    end = match.index + match[0].length;
  }
  if (end < text.length || spans.length === 0) spans.push({ text: text.slice(end), ...style });
  return spans;
}

function styleAfter(style: Style, codes: string): Style {
  let next = style;
  for (const code of codes === '' ? [0] : codes.split(/[;:]/).map(Number)) {
    if (code === 38 || code === 48) return next;
    next = styleAfterCode(next, code);
  }
  return next;
}

function styleAfterCode(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code >= 30 && code <= 37) return { ...style, colour: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, colour: code - 90 };
  if (code === 39) {
    const { colour: _, ...rest } = style;
    return rest;
  }
  return style;
}
