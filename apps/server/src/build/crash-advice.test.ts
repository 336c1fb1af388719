import { expect, it } from 'vitest';
import { crashAdvice } from './crash-advice.ts';

it.each([
  ["Error: Cannot find module 'express'", /^The package express is not installed: /],
  ["Error: Cannot find module '@scope/a/b.js'", /^The package @scope\/a is not installed: /],
  [
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'pg' imported from /app/a.js",
    /^The package pg is not installed: /,
  ],
  [
    "Error: Cannot find module '/app/dist/index.js'",
    /^There is no file dist\/index\.js\. If a build writes it, enter the build command/,
  ],
  ['Error: connect ECONNREFUSED 127.0.0.1:5432', /^The app connects to a database beside itself/],
  [
    'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
    /^The app connects to a database beside itself/,
  ],
  ["ModuleNotFoundError: No module named 'requests'", /^The Python module requests is not /],
])('says what to do about %j', (line, advice) => {
  expect(crashAdvice(['first', line, '  code: 1'])).toEqual([expect.stringMatching(advice)]);
});

it.each(["Error: Cannot find module './local'", "Cannot find module 'node:x'", 'Error: other'])(
  'says nothing about %j',
  (line) => {
    expect(crashAdvice([line])).toEqual([]);
  },
);
