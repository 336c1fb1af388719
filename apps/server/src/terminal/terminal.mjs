import { jsonLine, stepLine } from './output-format.mjs';

/** @typedef {import('./output-format.mjs').OutputFormat} OutputFormat */

/**
 * @typedef {object} Terminal
 * @property {OutputFormat} format
 * @property {<T>(title: string, work: (output: { onOutput(chunk: string): void }) => Promise<T>) => Promise<T>} step
 * Runs one step and reports its duration. What it passes to `onOutput` is written only if it fails.
 * @property {(text: string) => void} write Writes whole lines. They do not mix with the line of a running step.
 * @property {(message: string, fields?: Record<string, unknown>) => void} print
 * A line for the operator, whatever the log level is: text, or JSON.
 * @property {() => void} endLine Ends the line of a running step, when the process exits during it.
 */

/**
 * @typedef {object} TerminalDeps
 * @property {OutputFormat} format
 * @property {(text: string) => unknown} output
 * @property {{ now(): number, setTimeout(run: () => void, ms: number): unknown, clearTimeout(timer: unknown): void }} [clock]
 */

const REDRAW_MS = 1_000;

const systemClock = { now: Date.now, setTimeout, clearTimeout };

/**
 * Writes progress and lines for the operator to standard output.
 * @param {TerminalDeps} deps
 * @returns {Terminal}
 */
export function createTerminal({ format, output, clock = systemClock }) {
  /** The line of the running step, on a terminal only. It has no line break yet. */
  let liveLine = '';

  function write(text) {
    if (liveLine === '') return void output(text);
    output(`\r${' '.repeat(liveLine.length)}\r${text}${liveLine}`);
  }

  function print(message, fields) {
    const isText = format.kind === 'text';
    write(`${isText ? message : jsonLine(message, { now: clock.now(), fields })}\n`);
  }

  /** Shows the time of a running step until the returned function is called. Without colors, its length is its width. */
  function showProgress(title, elapsedMs) {
    if (format.kind === 'json' || !format.isTerminal) return () => {};
    let timer;
    (function draw() {
      liveLine = stepLine({ title, state: 'running', ms: elapsedMs() }, false);
      output(`\r${liveLine}`);
      timer = clock.setTimeout(draw, REDRAW_MS);
    })();
    return () => {
      clock.clearTimeout(timer);
      output(`\r${' '.repeat(liveLine.length)}\r`);
      liveLine = '';
    };
  }

  function report(step, details = '') {
    if (format.kind === 'json') {
      const fields = { durationMs: Math.round(step.ms), ...(details && { output: details }) };
      return print(`${step.title}: ${step.state}`, fields);
    }
    write(`${stepLine(step, format.isColored)}\n${details.replace(/([^\n])$/, '$1\n')}`);
  }

  async function step(title, work) {
    const startedAt = clock.now();
    const elapsedMs = () => clock.now() - startedAt;
    const chunks = [];
    if (format.kind === 'json') print(title);
    const hideProgress = showProgress(title, elapsedMs);
    try {
      const result = await work({ onOutput: (chunk) => void chunks.push(chunk) });
      hideProgress();
      report({ title, state: 'done', ms: elapsedMs() });
      return result;
    } catch (error) {
      hideProgress();
      // Stopped by the operator: not a failure.
      const isFailure = error?.name !== 'AbortError';
      if (isFailure) report({ title, state: 'failed', ms: elapsedMs() }, chunks.join(''));
      throw error;
    }
  }

  function endLine() {
    if (liveLine !== '') output('\n');
    liveLine = '';
  }

  return { format, step, write, print, endLine };
}
