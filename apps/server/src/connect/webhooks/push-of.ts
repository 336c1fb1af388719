import { z } from 'zod';
import { plainLine } from './plain-line.ts';

/** What was pushed, as far as it matters here. */
export type Push = {
  ref: string;
  /** Null where the branch or tag was deleted. */
  commit: string | null;
  /** Where the repository is, by all names the provider gave. */
  urls: string[];
  defaultBranch: string | null;
  /** Who pushed it, and what its last commit says it does: lines to be shown. Absent: nobody told. */
  by?: string;
  subject?: string;
};

const NO_COMMIT = /^0+$/;
/** What the database can keep. */
const text = z
  .string()
  .max(2_000)
  .refine((given) => given.isWellFormed() && !given.includes('\0'));
const url = text.optional().catch(undefined);
/** What people wrote, of any length; shown in one line. */
const words = z.string().optional().catch(undefined);
const commit = z.object({
  id: words,
  message: words,
  author: z.object({ name: words }).optional(),
});
const MAX_NAME_LENGTH = 60;
const MAX_SUBJECT_LENGTH = 100;

/** GitHub, Gitea and Forgejo. docs.github.com/webhooks, docs.gitea.com/usage/webhooks */
const HubPush = z
  .object({
    ref: text,
    after: text,
    repository: z.object({
      clone_url: url,
      ssh_url: url,
      html_url: url,
      default_branch: text.nullish().catch(null),
    }),
    // Gitea tells the whole name; GitHub calls the login a name.
    pusher: z.object({ full_name: words, name: words, login: words }).optional().catch(undefined),
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
    user_name: words,
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

/** The provider's word for what happened, and the push if it was one. */
export function eventOf(headers: Headers): string {
  const word =
    headers.get('x-gitlab-event') ??
    headers.get('x-gitea-event') ??
    headers.get('x-github-event') ??
    'unknown';
  return word.replace(/[^\w -]/g, '').slice(0, 50);
}

export function pushOf(event: string, body: Buffer): Push | undefined {
  const parsed = (isPush(event) ? SCHEMAS[event] : undefined)?.safeParse(jsonOf(body));
  if (!parsed?.success) return undefined;
  const { ref, after, urls, defaultBranch, by, subject } = parsed.data;
  return {
    ref,
    commit: NO_COMMIT.test(after) ? null : after,
    urls: urls.filter((it) => it !== undefined),
    defaultBranch: defaultBranch ?? null,
    ...(by && { by: plainLine(by, MAX_NAME_LENGTH) }),
    ...(subject && { subject: plainLine(subject, MAX_SUBJECT_LENGTH) }),
  };
}

export function isPush(event: string): boolean {
  return Object.hasOwn(SCHEMAS, event);
}

const SCHEMAS: Record<string, typeof HubPush | typeof GitlabPush> = {
  push: HubPush,
  'Push Hook': GitlabPush,
  'Tag Push Hook': GitlabPush,
};

/** GitHub sends forms where nobody told it otherwise. No JSON begins like one, whatever people write into commits. */
function jsonOf(body: Buffer): unknown {
  const sent = body.toString('utf8');
  try {
    const form = sent.startsWith('payload=') ? new URLSearchParams(sent) : undefined;
    return JSON.parse(form?.get('payload') ?? sent);
  } catch {
    return undefined;
  }
}
