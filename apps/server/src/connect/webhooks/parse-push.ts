import { z } from 'zod';
import { changedFiles } from './changed-files.ts';
import { singleLine } from './single-line.ts';

/** The parts of a push event that are used. */
export type Push = {
  ref: string;
  /** Null if the branch or tag was deleted. */
  commit: string | null;
  /** All URLs of the repository that the provider sent. */
  urls: string[];
  defaultBranch: string | null;
  /** The name of the pusher and the subject of the last commit, for display, if the provider sent them. */
  by?: string;
  subject?: string;
  /** The message of the last commit contains `[skip deploy]`. */
  skipsDeploy?: true;
  /** The changed files; absent if they are not all known. */
  files?: string[];
};

const NO_COMMIT = /^0+$/;
/** Text that Postgres can store. */
const text = z
  .string()
  .max(2_000)
  .refine((value) => value.isWellFormed() && !value.includes('\0'));
const url = text.optional().catch(undefined);
/** Text of any length; only one line of it is displayed. */
const freeText = z.string().optional().catch(undefined);
const commit = z.object({
  id: freeText,
  message: freeText,
  author: z.object({ name: freeText }).optional(),
});
const files = z.array(text).optional().catch(undefined);
const commitWithFiles = commit.extend({ added: files, modified: files, removed: files });
const commits = z.array(commitWithFiles).optional().catch(undefined);
const sha = text.optional().catch(undefined);
const commitCount = z.number().optional().catch(undefined);
/** As Render understands it. `[skip ci]` is not meant for deployments. */
const SKIP_DEPLOY = /\[(?:skip deploy|deploy skip)\]/i;
/** GitHub lists no more commits, and does not say how many there are. */
const MAX_GITHUB_COMMITS = 2_048;
const MAX_NAME_LENGTH = 60;
const MAX_SUBJECT_LENGTH = 100;

/** GitHub, Gitea and Forgejo. docs.github.com/webhooks, docs.gitea.com/usage/webhooks */
const GithubPush = z
  .object({
    ref: text,
    after: text,
    repository: z.object({
      clone_url: url,
      ssh_url: url,
      html_url: url,
      default_branch: text.nullish().catch(null),
    }),
    // Gitea sends the full name; GitHub sends the login as `name`.
    pusher: z
      .object({ full_name: freeText, name: freeText, login: freeText })
      .optional()
      .catch(undefined),
    head_commit: commit.nullish().catch(undefined),
    before: sha,
    commits,
    // GitHub only. The commits that a forced push removed are not listed.
    forced: z.boolean().optional().catch(undefined),
    // Gitea and Forgejo only. They list 5 commits by default.
    total_commits: commitCount,
  })
  .transform(({ ref, after, repository, pusher, head_commit, ...pushed }) => ({
    ref,
    after,
    by: pusher?.full_name || pusher?.name || pusher?.login || head_commit?.author?.name,
    message: head_commit?.message,
    files: changedFiles({ ...pushed, count: githubCount(pushed), hasFormerPaths: true }),
    urls: [repository.clone_url, repository.ssh_url, repository.html_url],
    defaultBranch: repository.default_branch,
  }));

/** docs.gitlab.com/user/project/integrations/webhook_events */
const GitlabPush = z
  .object({
    ref: text,
    after: text,
    project: z.object({
      git_http_url: url,
      git_ssh_url: url,
      web_url: url,
      default_branch: text.nullish().catch(null),
    }),
    user_name: freeText,
    before: sha,
    // Differs from `after` for a tag with a message.
    checkout_sha: freeText,
    commits,
    // GitLab lists 20 commits.
    total_commits_count: commitCount,
  })
  .transform(({ ref, after, project, user_name, checkout_sha, ...pushed }) => ({
    ref,
    after,
    by: user_name,
    message: pushed.commits?.find(({ id }) => id === after || id === checkout_sha)?.message,
    // GitLab lists a moved file under `added`, without its former path.
    files: changedFiles({ ...pushed, count: pushed.total_commits_count, hasFormerPaths: false }),
    urls: [project.git_http_url, project.git_ssh_url, project.web_url],
    defaultBranch: project.default_branch,
  }));

function githubCount(pushed: {
  commits?: unknown[] | undefined;
  forced?: boolean | undefined;
  total_commits?: number | undefined;
}): number | undefined {
  const { commits = [], forced, total_commits } = pushed;
  if (forced === undefined) return total_commits;
  return forced || commits.length >= MAX_GITHUB_COMMITS ? undefined : commits.length;
}

/** The provider's name of the event. */
export function eventName(headers: Headers): string {
  const name =
    headers.get('x-gitlab-event') ??
    headers.get('x-gitea-event') ??
    headers.get('x-github-event') ??
    'unknown';
  return name.replace(/[^\w -]/g, '').slice(0, 50);
}

/** Undefined if the event is no push, or its body is invalid. */
export function parsePush(event: string, body: Buffer): Push | undefined {
  const parsed = (isPushEvent(event) ? SCHEMAS[event] : undefined)?.safeParse(parseBody(body));
  if (!parsed?.success) return undefined;
  const { ref, after, urls, defaultBranch, by, message, files: changed } = parsed.data;
  return {
    ref,
    commit: NO_COMMIT.test(after) ? null : after,
    urls: urls.filter((it) => it !== undefined),
    defaultBranch: defaultBranch ?? null,
    ...(by && { by: singleLine(by, MAX_NAME_LENGTH) }),
    ...(message && { subject: singleLine(message, MAX_SUBJECT_LENGTH) }),
    ...(message && SKIP_DEPLOY.test(message) && { skipsDeploy: true }),
    ...(changed && { files: changed }),
  };
}

export function isPushEvent(event: string): boolean {
  return Object.hasOwn(SCHEMAS, event);
}

const SCHEMAS: Record<string, typeof GithubPush | typeof GitlabPush> = {
  push: GithubPush,
  'Push Hook': GitlabPush,
  'Tag Push Hook': GitlabPush,
};

/** GitHub sends a form by default, with the JSON in the field `payload`. No JSON document starts with `payload=`. */
function parseBody(body: Buffer): unknown {
  const content = body.toString('utf8');
  try {
    const form = content.startsWith('payload=') ? new URLSearchParams(content) : undefined;
    return JSON.parse(form?.get('payload') ?? content);
  } catch {
    return undefined;
  }
}
