import { PORT_MAX, PORT_MIN } from './constants.ts';

/** Accepts text from a form field as well as numbers from a request. */
export function portProblem(port: unknown): string | undefined {
  const trimmed = typeof port === 'string' ? port.trim() : port;
  if (trimmed === '' || trimmed === undefined || trimmed === null) return 'Port number is required';
  const isDigits = typeof trimmed === 'string' && /^\d+$/.test(trimmed);
  const number = isDigits ? Number(trimmed) : trimmed;
  const isPort =
    Number.isInteger(number) && Number(number) >= PORT_MIN && Number(number) <= PORT_MAX;
  return isPort ? undefined : 'Port must be a number between 1 and 65535';
}
