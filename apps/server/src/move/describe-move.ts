import type { Moved } from './move-installation.ts';

const MAX_NAMED = 20;

/** The summary for the operator. */
export function describeMove(moved: Moved): string[] {
  const { tables, rows, keys, files, bytes, uploads, unreadable } = moved;
  return [
    `Database: ${rows} rows in ${tables} tables, ${keys} keys.`,
    `Files: ${files}, ${bytes} bytes. Uploaded archives of source code: ${uploads}.`,
    ...unreadableLines(unreadable),
    'Log lines stay on this machine.',
    'Next: install Longshore on the cluster with the settings of the target, as the guide describes. Do not start the server of this machine again.',
  ];
}

function unreadableLines(keys: string[]): string[] {
  if (keys.length === 0) return [];
  const named = keys.slice(0, MAX_NAMED).join(', ');
  const others = keys.length > MAX_NAMED ? ' and others' : '';
  return [
    `Not moved, because they are missing or damaged here: ${keys.length} files (files/kept/${named}${others}).`,
  ];
}
