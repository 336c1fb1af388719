import { z } from 'zod';
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
  })
  .transform(({ ref, after, repository, pusher, head_commit }) => ({
    ref,
    after,
    by: pusher?.full_name || pusher?.name || pusher?.login || head_commit?.author?.name,
    subject: head_commit?.message,
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
    commits: z.array(commit).optional().catch(undefined),
  })
  .transform(({ ref, after, project, user_name, commits }) => ({
    ref,
    after,
    by: user_name,
    subject: commits?.find(({ id }) => id === after)?.message,
    urls: [project.git_http_url, project.git_ssh_url, project.web_url],
    defaultBranch: project.default_branch,
  }));

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
  const { ref, after, urls, defaultBranch, by, subject } = parsed.data;
  return {
    ref,
    commit: NO_COMMIT.test(after) ? null : after,
    urls: urls.filter((it) => it !== undefined),
    defaultBranch: defaultBranch ?? null,
    ...(by && { by: singleLine(by, MAX_NAME_LENGTH) }),
    ...(subject && { subject: singleLine(subject, MAX_SUBJECT_LENGTH) }),
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
