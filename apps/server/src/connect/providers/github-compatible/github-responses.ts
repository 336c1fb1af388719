import type { CommitRef, Repository, Tag } from '@longshore/contract';
import { z } from 'zod';
import {
  cloneUrlField,
  commitField,
  idField,
  nameField,
  textOrEmpty,
  timeOrNull,
} from '../response-fields.ts';

/** The used parts of the responses of GitHub and Gitea. */

export const GithubUser = z
  .object({ id: idField, login: nameField })
  .transform(({ id, login }) => ({ id, name: login }));

export const GithubRepository = z
  .object({
    id: idField,
    name: nameField,
    full_name: nameField,
    description: textOrEmpty,
    clone_url: cloneUrlField,
    ssh_url: textOrEmpty,
    default_branch: textOrEmpty,
    private: z.boolean().catch(true),
    /** Gitea has no `pushed_at`. */
    pushed_at: timeOrNull,
    updated_at: timeOrNull,
  })
  .transform(
    (repository): Repository => ({
      id: repository.id,
      name: repository.name,
      full_name: repository.full_name,
      description: repository.description,
      url: repository.clone_url,
      sshUrl: repository.ssh_url,
      defaultBranch: repository.default_branch,
      isPrivate: repository.private,
      activeAt: repository.pushed_at ?? repository.updated_at,
    }),
  );

const sha = z.object({ sha: commitField }).transform((commit) => commit.sha);
const id = z.object({ id: commitField }).transform((commit) => commit.id);

/** The commit is `sha` at GitHub and `id` at Gitea. */
export const GithubBranch = z.object({ name: nameField, commit: z.union([sha, id]) });

export const GithubTag = z
  .object({ name: nameField, commit: z.union([sha, id]) })
  .transform((tag): Tag => tag);

export const GithubCommit = z
  .object({
    sha: commitField,
    commit: z.object({ message: textOrEmpty, committer: z.object({ date: timeOrNull }) }),
  })
  .transform(
    ({ sha: commit, commit: { message, committer } }): CommitRef => ({
      commit,
      title: message.split('\n', 1)[0] ?? '',
      at: committer.date,
    }),
  );
