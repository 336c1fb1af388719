import type { Argv, BuildStep, Checkout, Finding, WebCommand } from '../build-plan.ts';
import { HOST, PORT } from '../command-line.ts';

/** A Gemfile with Rails, or with a server for a config.ru or an app.rb. */
export function detectRuby({ files, texts }: Checkout, web: WebCommand | undefined): Finding {
  const gems = texts.Gemfile;
  if (gems === undefined) return { kind: 'lacks', sentence: 'There is no Gemfile' };
  const lists = (name: string) => new RegExp(`^\\s*gem\\s+["']${name}["']`, 'm').test(gems);
  const isRails = lists('rails');
  const argv = web?.command.argv ?? startOf(files, lists);
  if (argv === undefined) {
    const sentence =
      'Gemfile lists no rails, and there is no config.ru or app.rb: enter a start command such as bundle exec ruby web.rb';
    return { kind: 'lacks', sentence };
  }
  const assets: BuildStep = {
    kind: 'build',
    label: 'bundle exec rake assets:precompile',
    argv: ['env', 'SECRET_KEY_BASE_DUMMY=1', 'bundle', 'exec', 'rake', 'assets:precompile'],
  };
  const rails = {
    RAILS_ENV: 'production',
    RAILS_LOG_TO_STDOUT: '1',
    RAILS_SERVE_STATIC_FILES: '1',
  };
  const inputs = ['Gemfile', 'Gemfile.lock'].filter((file) => files.includes(file));
  return {
    kind: 'plan',
    plan: {
      runtime: 'ruby',
      evidence: [`Found Gemfile: installing with bundler, starting ${argv.join(' ')}`],
      tools: ['ruby'],
      env: {
        BUNDLE_PATH: 'vendor/bundle',
        BUNDLE_WITHOUT: 'development:test',
        ...(isRails ? rails : {}),
      },
      path: [],
      steps: [
        { kind: 'install', label: 'bundle install', argv: ['bundle', 'install'], inputs },
        ...(isRails && files.includes('Rakefile') ? [assets] : []),
      ],
      start: {
        kind: 'command',
        argv,
        env: {
          BUNDLE_PATH: 'vendor/bundle',
          BUNDLE_WITHOUT: 'development:test',
          ...(isRails ? rails : { RACK_ENV: 'production' }),
          ...web?.command.env,
        },
      },
    },
  };
}

function startOf(files: string[], lists: (name: string) => boolean): Argv | undefined {
  if (lists('rails')) return ['bundle', 'exec', 'rails', 'server', '-b', HOST, '-p', PORT];
  if (files.includes('config.ru')) {
    return lists('puma')
      ? ['bundle', 'exec', 'puma', '--bind', `tcp://${HOST}:${PORT}`]
      : ['bundle', 'exec', 'rackup', '--host', HOST, '--port', PORT];
  }
  const file = ['app.rb', 'server.rb', 'main.rb'].find((name) => files.includes(name));
  if (file === undefined) return undefined;
  return ['bundle', 'exec', 'ruby', file, '-o', HOST, '-p', PORT];
}
