import {
  connectPath,
  decodeBranches,
  decodeRefs,
  decodeRepositories,
  decodeTags,
  isRepository,
} from '@longshore/contract';
import type { CallDeps } from '../setup/call.ts';
import { askConnect } from './ask-connect.ts';
import type { Repositories } from './connect.ts';
import { only, orEmpty } from './decode-answer.ts';

export function createRepositories(deps: CallDeps): Repositories {
  return {
    repositories: (id, { search = '', ...options } = {}) =>
      askConnect(deps, {
        ...options,
        path: connectPath('repositories', { id }) + queryOf(search),
        decode: orEmpty({ repositories: [], isCut: false }, decodeRepositories),
      }),
    validateRepository: (id, name, options) =>
      askConnect(deps, {
        ...options,
        path: connectPath('validateRepository', { id }),
        method: 'POST',
        body: { repo_name: name },
        decode: only(isRepository),
      }),
    branches: (id, repo, options) =>
      askConnect(deps, {
        ...options,
        path: connectPath('branches', { id, repo }),
        decode: orEmpty({ branches: [], isCut: false }, decodeBranches),
      }),
    refs: (id, { repository: repo, branch }, options) =>
      askConnect(deps, {
        ...options,
        path: connectPath('refs', { id, repo, branch }),
        decode: orEmpty([], decodeRefs),
      }),
    tags: (id, repo, options) =>
      askConnect(deps, {
        ...options,
        path: connectPath('tags', { id, repo }),
        decode: orEmpty({ tags: [], isCut: false }, decodeTags),
      }),
  };
}

function queryOf(search: string): string {
  return search === '' ? '' : `?${new URLSearchParams({ search })}`;
}
