import { containsText, foldCase, type LogFilter } from '@longshore/contract';
import type { LogRecord } from './log-record.ts';
import {
  APP_STREAM,
  buildStream,
  commandStream,
  isCommandStream,
  type StoredSequences,
} from './log-streams.ts';

/** Decides which lines a reader returns. */
export type LineFilter = {
  /** Of the streams of an app, those that can contain selected lines. */
  streams(stored: StoredSequences): StoredSequences;
  matches(record: LogRecord): boolean;
  /** False if no line in this part of a file can match, which is cheaper than to decode its lines. */
  mayMatch(content: string): boolean;
};

export function createLineFilter(filter: LogFilter): LineFilter {
  const { kind, release, command, instance, from, to, text } = filter;
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  const folded = text === undefined ? '' : foldCase(text);
  return {
    streams(stored) {
      return new Map([...stored].filter(([stream]) => isSelectedStream(stream)));
    },
    matches: (record) =>
      record.at >= fromMs &&
      record.at <= toMs &&
      (instance === undefined || record.name === instance) &&
      (text === undefined || containsText(record.text, text)),
    // A colour code may be in the middle of the searched text.
    mayMatch: (content) =>
      text === undefined || content.includes('\u001b') || foldCase(content).includes(folded),
  };

  function isSelectedStream(stream: string): boolean {
    // The output of a command is sent only to those who ask for it.
    if (command !== undefined) return stream === commandStream(command);
    if (isCommandStream(stream)) return kind === 'command';
    if (instance !== undefined && stream !== APP_STREAM) return false;
    if (release !== undefined && stream !== buildStream(release)) return false;
    if (kind === undefined) return true;
    return kind !== 'command' && (stream === APP_STREAM) === (kind !== 'build');
  }
}
