import {
  type GitHost as CodeHost,
  type HostRequest,
  startGitlabHost,
} from '@longshore/testkit/git-hosts';
import { type GitHost, type PushOptions, startGitHost } from '../build/git-host.ts';

export { canRunSshd } from '../build/git-host.ts';

/** A fake GitLab API with a real git server, over SSH and HTTP. SSH keys and tokens of the API work for git. */
export type GitlabServer = {
  url: string;
  code: CodeHost;
  git: GitHost;
  /** Pushes a commit and delivers the webhooks. Returns the commit. */
  push(name: string, files: Record<string, string>, options?: PushOptions): Promise<string>;
  stop(): Promise<void>;
};

export async function startGitlabServer(): Promise<GitlabServer> {
  const git = await startGitHost({
    mayRead: (token) => code.state.userOf(`Bearer ${token}`) !== undefined,
  });
  const code: CodeHost = await startGitlabHost({
    cloneUrls: { https: (name) => `${code.url}/${name}.git`, ssh: git.sshUrl },
    fallback: git.answer,
  });
  code.intercept = (request) => syncKeys(request, code, git);
  return {
    url: code.url,
    code,
    git,
    async push(name, files, { branch = 'main', message = 'A change\n\nWith a body.' } = {}) {
      const before = code.state.repositories.get(name)?.branches.get(branch)?.[0]?.sha;
      const commit = await git.push(name, files, { branch, message });
      const changes = await git.changes(name);
      const filesOf = (wanted: string) =>
        changes.flatMap(({ kind, file }) => (kind === wanted ? [file] : []));
      const at = new Date().toISOString();
      code.state.repositories
        .get(name)
        ?.branches.set(branch, [{ sha: commit, title: 'A change', at }]);
      const project = { git_http_url: code.cloneUrls.https(name), default_branch: 'main' };
      const push = {
        object_kind: 'push',
        ref: `refs/heads/${branch}`,
        before,
        after: commit,
        user_name: 'Ada Lovelace',
        commits: [
          {
            id: commit,
            message,
            author: { name: 'Ada' },
            added: filesOf('A'),
            modified: filesOf('M'),
            removed: filesOf('D'),
          },
        ],
        total_commits_count: 1,
        project,
      };
      const hooks = code.state.hooks.filter(({ repository }) => repository === name);
      await Promise.all(hooks.map((hook) => deliverPush(hook, push)));
      return commit;
    },
    async stop() {
      await code.close();
      await git.stop();
    },
  };
}

/** Allows SSH keys on the git server when they are added through the API, and removes them likewise. */
function syncKeys(
  { method, segments, text }: HostRequest,
  code: CodeHost,
  git: GitHost,
): undefined {
  if (!segments.includes('keys')) return;
  if (method === 'POST') git.ssh.allow(JSON.parse(text).key);
  const removed = code.state.keys.find(
    ({ id }) => method === 'DELETE' && segments.at(-1) === String(id),
  );
  if (removed !== undefined) git.ssh.forbid(removed.key);
}

/** See docs.gitlab.com/user/project/integrations/webhooks. */
async function deliverPush(
  { url, secret }: { url: string; secret: string },
  push: object,
): Promise<void> {
  await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitLab/18.0.0',
      'x-gitlab-event': 'Push Hook',
      'x-gitlab-token': secret,
      'x-gitlab-event-uuid': crypto.randomUUID(),
    },
    body: JSON.stringify(push),
  });
}
