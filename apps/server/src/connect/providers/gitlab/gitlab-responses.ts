import type { Branch, CommitRef, Repository, Tag } from '@longshore/contract';
import { z } from 'zod';
import {
  cloneUrlField,
  commitField,
  idField,
  nameField,
  textOrEmpty,
  timeOrNull,
} from '../response-fields.ts';

/** The used parts of GitLab's responses (docs.gitlab.com/api). */

export const GitlabUser = z
  .object({ id: idField, username: nameField })
  .transform(({ id, username }) => ({ id, name: username }));

export const GitlabProject = z
  .object({
    id: idField,
    path: nameField,
    path_with_namespace: nameField,
    description: textOrEmpty,
    http_url_to_repo: cloneUrlField,
    ssh_url_to_repo: textOrEmpty,
    default_branch: textOrEmpty,
    visibility: textOrEmpty,
    last_activity_at: timeOrNull,
  })
  .transform(
    (project): Repository => ({
      id: project.id,
      name: project.path,
      full_name: project.path_with_namespace,
      description: project.description,
      url: project.http_url_to_repo,
      sshUrl: project.ssh_url_to_repo,
      defaultBranch: project.default_branch,
      isPrivate: project.visibility !== 'public',
      activeAt: project.last_activity_at,
    }),
  );

export const GitlabBranch = z
  .object({
    name: nameField,
    default: z.boolean().catch(false),
    commit: z.object({ id: commitField }),
  })
  .transform(
    (branch): Branch => ({
      name: branch.name,
      isDefault: branch.default,
      commit: branch.commit.id,
    }),
  );

export const GitlabCommit = z
  .object({ id: commitField, title: textOrEmpty, committed_date: timeOrNull })
  .transform(({ id, title, committed_date: at }): CommitRef => ({ commit: id, title, at }));

export const GitlabTag = z
  .object({ name: nameField, commit: z.object({ id: commitField }) })
  .transform(({ name, commit }): Tag => ({ name, commit: commit.id }));
