import { withoutAnsi } from '@longshore/contract';

/** Everything that moves a cursor or rings a bell, except the tab. */
const CONTROL_CHARACTERS = /(?!\t)\p{Cc}/gu;

/** Evidence as a terminal would leave it on the screen: progress bars at their last state, and no control characters. */
export function readableEvidence(lines: string[]): string[] {
  return lines.map((line) => lastState(withoutAnsi(line)).replace(CONTROL_CHARACTERS, ''));
}

/** A carriage return starts the line again. */
function lastState(line: string): string {
  return line.split('\r').findLast((state) => state.trim() !== '') ?? '';
}
