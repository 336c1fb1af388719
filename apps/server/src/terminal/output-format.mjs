/**
 * How the server and its start script write to standard output. Plain JavaScript: the start script uses it before the
 * packages are installed, on any supported Node.
 */

/** @typedef {{ kind: 'json' } | { kind: 'text', isTerminal: boolean, isColored: boolean }} OutputFormat */

/** @typedef {'running' | 'done' | 'failed'} StepState */

/** @typedef {keyof typeof CODES} Style */

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

/** @type {Record<StepState, { mark: string, style: Style }>} */
const STATES = {
  running: { mark: '·', style: 'dim' },
  done: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
};

const TITLE_WIDTH = 20;
const DURATION_WIDTH = 10;

/**
 * Text on a terminal, otherwise JSON lines; `LONGSHORE_LOG_FORMAT` overrides it.
 * @param {{ environment: Record<string, string | undefined>, isTerminal: boolean }} output
 * @returns {OutputFormat}
 */
export function outputFormat({ environment, isTerminal }) {
  const configured = environment.LONGSHORE_LOG_FORMAT?.trim();
  if (configured === 'json' || (configured !== 'text' && !isTerminal)) return { kind: 'json' };
  const isColored = isTerminal && !environment.NO_COLOR && environment.TERM !== 'dumb';
  return { kind: 'text', isTerminal, isColored };
}

/**
 * @param {string} text
 * @param {Style} style
 * @param {boolean} isColored
 */
export function paint(text, style, isColored) {
  return isColored ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
}

/**
 * One line for a step. Lines of all states are equally long, so that one can overwrite the other.
 * @param {{ title: string, state: StepState, ms: number }} step
 * @param {boolean} isColored
 */
export function stepLine({ title, state, ms }, isColored) {
  const { mark, style } = STATES[state];
  const duration = state === 'running' ? runningText(ms) : durationText(ms);
  return `  ${paint(mark, style, isColored)} ${title.padEnd(TITLE_WIDTH)}${paint(duration.padStart(DURATION_WIDTH), 'dim', isColored)}`;
}

/** @param {number} ms */
function runningText(ms) {
  return ms < 1_000 ? '…' : durationText(Math.floor(ms / 1_000) * 1_000).replace('.0', '');
}

/** @param {number} ms */
export function durationText(ms) {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * A line in the format of the server's log.
 * @param {string} message
 * @param {{ now: number, fields?: Record<string, unknown> }} details
 */
export function jsonLine(message, { now, fields = {} }) {
  return JSON.stringify({ level: 30, time: new Date(now).toISOString(), ...fields, msg: message });
}
