import { clsx } from 'clsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Clock, Download, Pause, Play, WrapText } from '../../ui/icons.tsx';
import { Menu, type MenuChoice } from '../../ui/menu.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { LogSearch, type LogSearchProps } from './log-search.tsx';
import { MESSAGES } from './messages.ts';
import type { ShownKind, ShownSource } from './model/log-view.ts';
import type { TimeRange } from './model/time-range.ts';
import { TimeRangePicker } from './time-range-picker.tsx';

const FILTERS: { value: ShownKind; label: string }[] = [
  { value: 'all', label: MESSAGES.filters.all },
  { value: 'app', label: MESSAGES.filters.app },
  { value: 'build', label: MESSAGES.filters.build },
];

const SOURCES: { value: ShownSource; label: string }[] = [
  { value: 'output', label: MESSAGES.sources.output },
  { value: 'access', label: MESSAGES.sources.access },
];

/** How the lines are shown. */
export type LogDisplay = { isWrapped: boolean; hasTimestamps: boolean };

type LogToolbarProps = {
  /** Only the filter of the specification. */
  isCompact: boolean;
  source: ShownSource;
  /** Undefined while there is only one kind of lines. */
  kind: ShownKind | undefined;
  search: LogSearchProps;
  /** Undefined if the server cannot be asked for other lines than those it streams. */
  range: TimeRange | undefined;
  display: LogDisplay;
  isPaused: boolean;
  hasTimestampedLines: boolean;
  downloads: MenuChoice[];
  onSource(source: ShownSource): void;
  onKind(kind: ShownKind): void;
  onRange(range: TimeRange): void;
  onDisplay(display: LogDisplay): void;
  onPause(isPaused: boolean): void;
};

export function LogToolbar(props: LogToolbarProps) {
  const { isCompact, source, kind, range, display, isPaused, onDisplay } = props;
  const PauseIcon = isPaused ? Play : Pause;
  if (isCompact) return kind !== undefined && <KindFilter kind={kind} onKind={props.onKind} />;
  return (
    <>
      <div className="flex items-center">
        <IconButton
          label={isPaused ? MESSAGES.resume : MESSAGES.pause}
          onClick={() => props.onPause(!isPaused)}
        >
          <PauseIcon size={16} aria-hidden="true" />
        </IconButton>
        {props.hasTimestampedLines && (
          <IconButton
            label={MESSAGES.timestamps}
            aria-pressed={display.hasTimestamps}
            onClick={() => onDisplay({ ...display, hasTimestamps: !display.hasTimestamps })}
          >
            <Clock size={16} aria-hidden="true" />
          </IconButton>
        )}
        <IconButton
          label={MESSAGES.wrap}
          aria-pressed={display.isWrapped}
          onClick={() => onDisplay({ ...display, isWrapped: !display.isWrapped })}
        >
          <WrapText size={16} aria-hidden="true" />
        </IconButton>
        <Menu
          label={MESSAGES.download}
          icon={<Download size={16} aria-hidden="true" />}
          choices={props.downloads}
        />
      </div>
      <div className="order-last flex basis-full flex-wrap items-center gap-2">
        <div className="max-sm:basis-full">
          <Segmented<ShownSource>
            label={MESSAGES.source}
            value={source}
            options={SOURCES}
            onChange={props.onSource}
          />
        </div>
        <LogSearch {...props.search} />
        {range !== undefined && <TimeRangePicker range={range} onChange={props.onRange} />}
        {source === 'output' && (
          <div
            // Hidden but still laid out, so that nothing moves when it appears.
            inert={kind === undefined}
            aria-hidden={kind === undefined}
            className={clsx(kind === undefined && 'invisible')}
          >
            <KindFilter kind={kind ?? 'all'} onKind={props.onKind} />
          </div>
        )}
      </div>
    </>
  );
}

type KindFilterProps = { kind: ShownKind; onKind(kind: ShownKind): void };

function KindFilter({ kind, onKind }: KindFilterProps) {
  return (
    <Segmented<ShownKind>
      label={MESSAGES.filter}
      value={kind}
      options={FILTERS}
      onChange={onKind}
    />
  );
}
