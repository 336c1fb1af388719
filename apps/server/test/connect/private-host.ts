import {
  type GitHost as CodeHost,
  type HostRequest,
  startGitlabHost,
} from '@longshore/testkit/git-hosts';
import { type GitHost, startGitHost } from '../build/git-host.ts';

export { canRunSshd } from '../build/git-host.ts';

/** For tests: a GitLab with git of its own behind it, over ssh and http. Keys and tokens of its API are good there. */
export type PrivateHost = {
  url: string;
  code: CodeHost;
  git: GitHost;
  /** Pushes a commit, and tells whoever has a hook; answers the commit. */
  push(name: string, files: Record<string, string>, branch?: string): Promise<string>;
  stop(): Promise<void>;
};

export async function startPrivateHost(): Promise<PrivateHost> {
  const git = await startGitHost({
    mayRead: (token) => code.state.personOf(`Bearer ${token}`) !== undefined,
  });
  const code: CodeHost = await startGitlabHost({
    cloneUrls: { https: (name) => `${code.url}/${name}.git`, ssh: git.sshUrl },
    fallback: git.answer,
  });
  code.intercept = (request) => shareKeys(request, code, git);
  return {
    url: code.url,
    code,
    git,
    async push(name, files, branch = 'main') {
      const before = code.state.repositories.get(name)?.branches.get(branch)?.[0]?.sha;
      const commit = await git.push(name, files, branch);
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
        commits: [{ id: commit, message: 'A change\n\nAnd why.', author: { name: 'Ada' } }],
        project,
      };
      const hooks = code.state.hooks.filter(({ repository }) => repository === name);
      await Promise.all(hooks.map((hook) => tell(hook, push)));
      return commit;
    },
    async stop() {
      await code.close();
      await git.stop();
    },
  };
}

/** What the API takes as a key of an account, and gives up, git's own server is told. */
function shareKeys({ method, steps, text }: HostRequest, code: CodeHost, git: GitHost): undefined {
  if (!steps.includes('keys')) return;
  if (method === 'POST') git.ssh.allow(JSON.parse(text).key);
  const removed = code.state.keys.find(
    ({ id }) => method === 'DELETE' && steps.at(-1) === String(id),
  );
  if (removed !== undefined) git.ssh.forbid(removed.key);
}

/** As docs.gitlab.com/user/project/integrations/webhooks describes it. */
async function tell({ url, secret }: { url: string; secret: string }, push: object): Promise<void> {
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
