import { processInstanceOf } from '@longshore/contract';
import { clsx } from 'clsx';
import { memo } from 'react';
import type { LogDisplay } from './log-toolbar.tsx';
import { accessSpans } from './model/access-spans.ts';
import { type AnsiSpan, ansiSpans } from './model/ansi.ts';
import type { NumberedLine } from './model/line-list.ts';
import { highlightParts } from './model/log-search.ts';
import { timeOfDay } from './model/log-view.ts';

type LogRowProps = {
  line: NumberedLine;
  topPx: number;
  search: string;
  isCurrent: boolean;
  display: LogDisplay;
  hasSource: boolean;
};

/** Renders a line as text nodes, never as markup. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { line, topPx, search, isCurrent, display, hasSource } = props;
  const process = processInstanceOf(line.name);
  const spansOf = line.source === 'access' ? accessSpans : ansiSpans;
  return (
    <div
      style={{ top: topPx }}
      className={clsx(
        'absolute left-0 flex gap-3 px-4 leading-5 hover:bg-hover',
        isCurrent && 'bg-busy-wash',
        display.isWrapped ? 'w-full whitespace-pre-wrap' : 'w-max min-w-full whitespace-pre',
      )}
    >
      {display.hasTimestamps && (
        <time
          dateTime={line.at === undefined ? undefined : new Date(line.at).toISOString()}
          className="shrink-0 text-faint select-none"
        >
          {timeOfDay(line.at)}
        </time>
      )}
      {hasSource && <span className="w-10 shrink-0 text-faint select-none">{line.source}</span>}
      {process !== undefined && <span className="shrink-0 text-faint select-none">{process}</span>}
      <span className="min-w-0">
        {spansOf(line.text).map((span, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: spans of a line never move
          <Span key={position} span={span} search={search} />
        ))}
        {line.text === '' && ' '}
      </span>
    </div>
  );
});

function Span({ span, search }: { span: AnsiSpan; search: string }) {
  const { text, colour, isBold = false, isDim = false } = span;
  if (search === '' && colour === undefined && !isBold && !isDim) return text;
  return (
    <span
      className={clsx(isBold && 'font-semibold', isDim && 'opacity-70')}
      style={colour === undefined ? undefined : { color: `var(--log-${colour})` }}
    >
      {highlightParts(text, search).map((part, position) =>
        part.isMatch ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a span never move
          <mark key={position} className="rounded-sm bg-accent text-on-accent">
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </span>
  );
}
