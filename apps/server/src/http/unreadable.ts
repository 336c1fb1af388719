import { Problem } from './problem.ts';

/** The refusal of a request that Node could not read, by Node's code. */
export function unreadableRequest(error: Error & { code?: string }): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, 'headers-too-large', 'The request headers are too large', {
        cause: error,
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(408, 'request-timeout', 'The request took too long to arrive', {
        cause: error,
      });
    default:
      return new Problem(400, 'invalid-request', 'The request could not be read', { cause: error });
  }
}
