import { PORT_MAX, PORT_MIN } from './constants.ts';

/** Spec §5, Port. Takes what a person typed or what came over the wire. */
export function portProblem(port: unknown): string | undefined {
  if (port === '' || port === undefined || port === null) return 'Port number is required';
  const isWritten = typeof port === 'string' && /^\d+$/.test(port.trim());
  const number = isWritten ? Number(port) : port;
  const isPort =
    Number.isInteger(number) && Number(number) >= PORT_MIN && Number(number) <= PORT_MAX;
  return isPort ? undefined : 'Port must be a number between 1 and 65535';
}
