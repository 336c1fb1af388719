import { PORT_MAX, PORT_MIN } from './constants.ts';

/** Spec §5, Port. Takes what a person typed or what came over the wire. */
export function portProblem(port: unknown): string | undefined {
  const given = typeof port === 'string' ? port.trim() : port;
  if (given === '' || given === undefined || given === null) return 'Port number is required';
  const isWritten = typeof given === 'string' && /^\d+$/.test(given);
  const number = isWritten ? Number(given) : given;
  const isPort =
    Number.isInteger(number) && Number(number) >= PORT_MIN && Number(number) <= PORT_MAX;
  return isPort ? undefined : 'Port must be a number between 1 and 65535';
}
