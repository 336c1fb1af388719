import type { ConnectError } from '@longshore/client';
import { expect, it } from 'vitest';
import { errorText } from './error-text.ts';

const error = { status: 409, error: 'integration-in-use', message: 'API error (409): {}' };

it.each<[string, Partial<ConnectError>, string]>([
  ['the message of the server', { serverMessage: 'Not here' }, 'Not here'],
  ['empty if the server sent no message', {}, ''],
  ['the message of a network error', { message: 'Network Error' }, 'Network Error'],
])('the error text is %s', (_, fields, text) => {
  expect(errorText({ ...error, ...fields })).toBe(text);
});
