import { describe, expect, it } from 'vitest';
import { missingVariables } from './missing-variables.ts';

const EXAMPLES = [
  { name: 'DATABASE_URL', file: '.env.example' },
  { name: 'SECRET', file: '.env.example' },
  { name: 'PORT', file: '.env.example' },
];

describe('a failed app lacks the variables', () => {
  it.each<[string, string, string[]]>([
    ['Python', "KeyError: 'SECRET_KEY'", ['SECRET_KEY']],
    ['Python with one word', "KeyError: 'TOKEN'", ['TOKEN']],
    [
      'django-environ',
      'django.core.exceptions.ImproperlyConfigured: Set the DATABASE_URL environment variable',
      ['DATABASE_URL'],
    ],
    [
      'python-decouple',
      'decouple.UndefinedValueError: SECRET_KEY not found. Declare it as envvar or define a default value.',
      ['SECRET_KEY'],
    ],
    [
      'Django',
      'django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.',
      ['SECRET_KEY'],
    ],
    [
      'pydantic',
      'pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\ndatabase_url\n  Field required [type=missing, input_value={}, input_type=dict]',
      ['DATABASE_URL'],
    ],
    ['Prisma', 'error: Environment variable not found: DATABASE_URL.', ['DATABASE_URL']],
    ['Node', 'Error: DATABASE_URL is not defined', ['DATABASE_URL']],
    ['Node, required', 'Error: SESSION_SECRET is required', ['SESSION_SECRET']],
    ['Node, one word', 'Error: Missing environment variable: TOKEN', ['TOKEN']],
    [
      'a tutorial',
      'Error: Please define the MONGODB_URI environment variable inside .env.local',
      ['MONGODB_URI'],
    ],
    ['process.env', 'Error: process.env.API_KEY is undefined', ['API_KEY']],
    [
      'OpenAI',
      "OpenAIError: The OPENAI_API_KEY environment variable is missing or empty; either provide it, or instantiate the OpenAI client with an apiKey option, like new OpenAI({ apiKey: 'My API Key' }).",
      ['OPENAI_API_KEY'],
    ],
    [
      'a list in one line',
      'Missing required environment variables: DATABASE_URL, REDIS_URL',
      ['DATABASE_URL', 'REDIS_URL'],
    ],
    [
      'envalid',
      '================================\n Missing environment variables:\n    DATABASE_URL: undefined\n    SECRET: undefined\n================================',
      ['DATABASE_URL', 'SECRET'],
    ],
    [
      'zod, by field',
      '❌ Invalid env:\n{\n  "LOG_LEVEL": [\n    "Invalid option: expected one of \\"info\\"|\\"debug\\""\n  ],\n  "STRIPE_KEY": [\n    "Invalid input: expected string, received undefined"\n  ]\n}',
      ['LOG_LEVEL', 'STRIPE_KEY'],
    ],
    [
      'zod',
      'ZodError: [\n  {\n    "code": "invalid_type",\n    "received": "undefined",\n    "path": [\n      "STRIPE_KEY"\n    ],\n    "message": "Required"\n  }\n]',
      ['STRIPE_KEY'],
    ],
    [
      't3-env',
      "❌ Invalid environment variables: { AUTH_SECRET: [ 'Required' ] }",
      ['AUTH_SECRET'],
    ],
    ['Joi', 'Error: Config validation error: "JWT_SECRET" is required', ['JWT_SECRET']],
    ['Go', '2026/01/01 10:00:00 required key DATABASE_URL missing value', ['DATABASE_URL']],
    ['Go, log.Fatal', '2026/01/01 10:00:00 $GITHUB_TOKEN must be set', ['GITHUB_TOKEN']],
    ['Rust', 'DATABASE_URL must be set: NotPresent', ['DATABASE_URL']],
    ['Ruby', `fetch': key not found: "RAILS_MASTER_KEY" (KeyError)`, ['RAILS_MASTER_KEY']],
    ['Elixir', 'environment variable SECRET_KEY_BASE is missing.', ['SECRET_KEY_BASE']],
    ['Spring', `Could not resolve placeholder 'MAIL_HOST' in value "\${MAIL_HOST}"`, ['MAIL_HOST']],
    ['a shell', './start.sh: line 3: API_TOKEN: unbound variable', ['API_TOKEN']],
  ])('that %s names', (_, text, names) => {
    expect(missing(text.split('\n'))).toEqual(names);
  });

  it.each([
    ['a JavaScript error', 'ReferenceError: MAX_ITEMS is not defined'],
    ['a missing module', "Error: Cannot find module 'express' code: 'MODULE_NOT_FOUND'"],
    ['a missing import', "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'"],
    ['a refused connection', 'Error: connect ECONNREFUSED 127.0.0.1:5432'],
    ['a log level', 'ERROR: the file was not found'],
    ['a route', 'GET /missing 404'],
    [
      'a folder of Django',
      "django.core.exceptions.ImproperlyConfigured: You're using the staticfiles app without having set the STATIC_ROOT setting to a filesystem path.",
    ],
    ['the port', 'Error: PORT environment variable is required'],
    ['nothing', ''],
  ])('of which %s names none', (_, line) => {
    expect(missing([line])).toEqual([]);
  });

  it('of its message rather than all examples, except those that are set', () => {
    const lines = ["KeyError: 'SECRET'", "KeyError: 'OTHER_KEY'"];
    expect(missingVariables({ lines, set: ['SECRET'], examples: EXAMPLES })).toEqual([
      { kind: 'variable', name: 'OTHER_KEY', source: { kind: 'message' } },
    ]);
  });

  it('of the example file when nothing is named', () => {
    const source = { kind: 'file', file: '.env.example' };
    expect(missingVariables({ lines: ['Bye'], set: [], examples: EXAMPLES })).toEqual([
      { kind: 'variable', name: 'DATABASE_URL', source },
      { kind: 'variable', name: 'SECRET', source },
    ]);
  });

  it('all of the example file when a build compiles them into the app', () => {
    const line = 'src/shop.js (4:2): "SECRET" is not exported by "virtual:env/static/private"';
    const found = missingVariables({ lines: [line], set: [], examples: EXAMPLES });
    expect(found.map(({ name }) => name)).toEqual(['SECRET', 'DATABASE_URL']);
  });

  it.each([
    ['opens', 'TypeError: expected str, bytes or os.PathLike object, not NoneType', ['LOG_FILE']],
    ['calls', "AttributeError: 'NoneType' object has no attribute 'split'", ['LOG_FILE']],
    [
      'connects',
      'sqlalchemy.exc.ArgumentError: Expected string or URL object, got None',
      ['LOG_FILE'],
    ],
    ['fails otherwise', 'ZeroDivisionError: division by zero', []],
  ])('that a file reads which %s nothing', (_, error, names) => {
    const lines = [
      'Traceback (most recent call last):',
      '  File "/app/.venv/lib/python3.11/site-packages/uvicorn/main.py", line 434, in load',
      '  File "/app/shop/main.py", line 1, in <module>',
      '  File "/app/shop/__init__.py", line 6, in <module>',
      "    with open(path, 'r') as file:",
      error,
    ];
    const read = [
      { name: 'LOG_FILE', file: 'shop/__init__.py' },
      { name: 'LOG_FILE', file: 'shop/main.py' },
      { name: 'OTHER', file: 'main.py' },
    ];
    const source = { kind: 'code', file: 'shop/__init__.py' };
    const found = missingVariables({ lines, set: [], examples: [], read });
    expect(found).toEqual(names.map((name) => ({ kind: 'variable', name, source })));
  });

  it('of databases when a connection is refused', () => {
    const lines = ['Error: connect ECONNREFUSED 127.0.0.1:5432'];
    const found = missingVariables({ lines, set: [], examples: EXAMPLES });
    expect(found.map(({ name }) => name)).toEqual(['DATABASE_URL']);
  });

  it('in a limited number, also from very long lines', () => {
    const names = Array.from({ length: 40 }, (_, number) => `KEY_${number}`);
    expect(missing([`Missing environment variables: ${names.join(', ')}`])).toHaveLength(10);
    expect(missing(['A_B '.repeat(1_000_000)])).toEqual([]);
  });
});

function missing(lines: string[]): string[] {
  return missingVariables({ lines, set: [], examples: [] }).map(({ name }) => name);
}
