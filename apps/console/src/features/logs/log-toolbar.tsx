import { clsx } from 'clsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Clock, Download, Pause, Play, WrapText } from '../../ui/icons.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { LogSearch, type LogSearchProps } from './log-search.tsx';
import { MESSAGES } from './messages.ts';
import type { LogFilter } from './model/log-view.ts';

const FILTERS: { value: LogFilter; label: string }[] = [
  { value: 'all', label: MESSAGES.filters.all },
  { value: 'app', label: MESSAGES.filters.app },
  { value: 'build', label: MESSAGES.filters.build },
];

/** How the lines are shown. */
export type LogDisplay = { isWrapped: boolean; hasTimestamps: boolean };

type LogToolbarProps = {
  /** Undefined while there is only one kind of lines. */
  filter: LogFilter | undefined;
  search: LogSearchProps;
  display: LogDisplay;
  isPaused: boolean;
  hasTimestampedLines: boolean;
  onFilter(filter: LogFilter): void;
  onDisplay(display: LogDisplay): void;
  onPause(isPaused: boolean): void;
  onDownload(): void;
};

export function LogToolbar(props: LogToolbarProps) {
  const { filter, display, isPaused, onDisplay } = props;
  const PauseIcon = isPaused ? Play : Pause;
  return (
    <>
      <div className="flex items-center gap-2 max-sm:order-last max-sm:basis-full max-sm:flex-row-reverse">
        <div
          // Hidden but still laid out, so that nothing moves when it appears.
          inert={filter === undefined}
          aria-hidden={filter === undefined}
          className={clsx(filter === undefined && 'invisible max-sm:hidden')}
        >
          <Segmented<LogFilter>
            label={MESSAGES.filter}
            value={filter ?? 'all'}
            options={FILTERS}
            onChange={props.onFilter}
          />
        </div>
        <LogSearch {...props.search} />
      </div>
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
        <IconButton label={MESSAGES.download} onClick={props.onDownload}>
          <Download size={16} aria-hidden="true" />
        </IconButton>
      </div>
    </>
  );
}
