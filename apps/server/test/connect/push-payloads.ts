const COMMIT = 'c'.repeat(40);
const BEFORE = 'b'.repeat(40);
const AUTHOR = { name: 'Ada Lovelace', email: 'ada@example.com' };

export type PayloadCommit = {
  added?: string[];
  modified?: string[];
  removed?: string[];
  message?: string;
};

type PushPayload = { event: string; body: Record<string, unknown> };
/** `change`: replaces keys of the body. */
export type BuildPayload = (commits: PayloadCommit[], change?: object) => PushPayload;

/** The parts of a push that the documentation of each provider shows and Longshore reads. */
export const PUSH_PAYLOADS = { github, gitea, gitlab } satisfies Record<string, BuildPayload>;

function github(commits: PayloadCommit[], change: object = {}): PushPayload {
  const listed = commits.map(toCommit);
  const repository = { full_name: 'ada/shop', default_branch: 'main', ...urls('github.com') };
  return {
    event: 'push',
    body: {
      ref: 'refs/heads/main',
      before: BEFORE,
      after: COMMIT,
      created: false,
      deleted: false,
      forced: false,
      base_ref: null,
      compare: 'https://github.com/ada/shop/compare/bbbbbbbbbbbb...cccccccccccc',
      commits: listed,
      head_commit: listed.at(-1) ?? null,
      pusher: AUTHOR,
      repository,
      ...change,
    },
  };
}

/** Also Forgejo. */
function gitea(commits: PayloadCommit[], change: object = {}): PushPayload {
  const listed = commits.map(toCommit).reverse();
  const repository = { full_name: 'ada/shop', default_branch: 'main', ...urls('gitea.com') };
  return {
    event: 'push',
    body: {
      ref: 'refs/heads/main',
      before: BEFORE,
      after: COMMIT,
      compare_url: 'https://gitea.com/ada/shop/compare/bbbbbbbbbbbb...cccccccccccc',
      commits: listed,
      total_commits: listed.length,
      head_commit: listed[0] ?? null,
      pusher: { id: 1, login: 'ada', full_name: AUTHOR.name },
      repository,
      ...change,
    },
  };
}

function gitlab(commits: PayloadCommit[], change: object = {}): PushPayload {
  const listed = commits.map(toCommit);
  return {
    event: 'Push Hook',
    body: {
      object_kind: 'push',
      event_name: 'push',
      before: BEFORE,
      after: COMMIT,
      ref: 'refs/heads/main',
      ref_protected: true,
      checkout_sha: COMMIT,
      user_name: AUTHOR.name,
      project: {
        git_http_url: 'https://gitlab.com/ada/shop.git',
        git_ssh_url: 'git@gitlab.com:ada/shop.git',
        web_url: 'https://gitlab.com/ada/shop',
        default_branch: 'main',
      },
      commits: listed,
      total_commits_count: listed.length,
      ...change,
    },
  };
}

/** The last one is the commit that was pushed. */
function toCommit(commit: PayloadCommit, index: number, all: PayloadCommit[]) {
  return {
    id: index === all.length - 1 ? COMMIT : String(index).padStart(40, '0'),
    message: 'Change something\n',
    timestamp: '2026-11-17T09:00:00+00:00',
    author: AUTHOR,
    added: [],
    modified: [],
    removed: [],
    ...commit,
  };
}

function urls(host: string) {
  return {
    html_url: `https://${host}/ada/shop`,
    ssh_url: `git@${host}:ada/shop.git`,
    clone_url: `https://${host}/ada/shop.git`,
  };
}
