import { type AnsiSpan, ansiSpans } from './ansi.ts';

const STATUS = /^[45]\d\d(?= )/;
const [RED, YELLOW] = [1, 3];

/** A line of the access log, with the status in colour if it is an error. */
export function accessSpans(text: string): AnsiSpan[] {
  const status = STATUS.exec(text)?.[0];
  if (status === undefined) return ansiSpans(text);
  const colour = status.startsWith('5') ? RED : YELLOW;
  return [{ text: status, colour }, ...ansiSpans(text.slice(status.length))];
}
