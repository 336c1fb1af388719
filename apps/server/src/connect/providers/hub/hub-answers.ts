import type { CommitRef, Repository, Tag } from '@longshore/contract';
import { z } from 'zod';
import {
  cloneUrlField,
  commitField,
  idField,
  nameField,
  textOrEmpty,
  timeOrNull,
} from '../answer-fields.ts';

/** What GitHub and Gitea answer, as far as it is used. */

export const HubUser = z
  .object({ id: idField, login: nameField })
  .transform(({ id, login }) => ({ id, name: login }));

export const HubRepository = z
  .object({
    id: idField,
    name: nameField,
    full_name: nameField,
    description: textOrEmpty,
    clone_url: cloneUrlField,
    ssh_url: textOrEmpty,
    default_branch: textOrEmpty,
    private: z.boolean().catch(true),
    /** GitHub says when something was pushed, Gitea only when anything changed. */
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

/** A commit is known by its `sha` at GitHub, by its `id` at Gitea. */
export const HubBranch = z.object({ name: nameField, commit: z.union([sha, id]) });

export const HubTag = z
  .object({ name: nameField, commit: z.union([sha, id]) })
  .transform((tag): Tag => tag);

export const HubCommit = z
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
