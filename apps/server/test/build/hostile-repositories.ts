import type { HostileRepository } from './hostile-git-host.ts';
import {
  commitOf,
  deltaOf,
  idOf,
  objectOf,
  type PackedObject,
  packOf,
  type TreeEntry,
  treeOf,
  zerosOf,
} from './pack-writer.ts';

const TEXT = 'hello';
export const FILE: TreeEntry = { mode: '100644', name: 'file', id: idOf('blob', TEXT) };
const BASE = Buffer.alloc(16 * 1024 ** 2);

/** A commit with one small file, and further objects that git must unpack before it knows that nobody needs them. */
export function repositoryWith(extra: PackedObject[], count?: number): HostileRepository {
  const { commit, objects } = smallCommit([FILE]);
  const all = [...objects, ...extra];
  return { commit, pack: [packOf(all, count)] };
}

/** A commit with these entries in its root folder. */
export function repositoryOf(entries: TreeEntry[], extra: PackedObject[] = []): HostileRepository {
  const { commit, objects } = smallCommit(entries);
  return { commit, pack: [packOf([...objects, ...extra])] };
}

export function zeros(type: 'blob' | 'tree' | 'commit', bytes: number): PackedObject[] {
  return [zerosOf(type, bytes)];
}

/** Blobs of 16 MiB times `copies` each, or up to 64 MiB more, as deltas of a few bytes. */
export function deltas(count: number, copies: number): PackedObject[] {
  const base = { id: idOf('blob', BASE), size: BASE.length };
  return [
    objectOf('blob', BASE),
    ...Array.from({ length: count }, (_, index) => deltaOf(base, copies + (index % 5))),
  ];
}

/** Nested folders, each of which contains the next one `width` times. */
export function nestedFolders(leaf: TreeEntry[], depth: number, width: number): HostileRepository {
  const trees = [treeOf(leaf)];
  for (let level = 0; level < depth; level += 1) {
    const id = idOf('tree', trees.at(-1) ?? '');
    const names = Array.from({ length: width }, (_, index) => `folder-${index}`);
    trees.push(treeOf(names.map((name) => ({ mode: '40000', name, id }))));
  }
  const root = trees.pop() ?? Buffer.alloc(0);
  const folders = trees.map((tree) => objectOf('tree', tree));
  const commit = commitOf(idOf('tree', root));
  const objects = [objectOf('commit', commit), objectOf('tree', root), objectOf('blob', TEXT)];
  return { commit: idOf('commit', commit), pack: [packOf([...objects, ...folders])] };
}

function smallCommit(entries: TreeEntry[]) {
  const tree = treeOf(entries);
  const commit = commitOf(idOf('tree', tree));
  const objects = [objectOf('commit', commit), objectOf('tree', tree), objectOf('blob', TEXT)];
  return { commit: idOf('commit', commit), objects };
}
