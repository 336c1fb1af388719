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
export type LogLook = { isWrapped: boolean; hasTimes: boolean };

type LogToolbarProps = {
  /** Undefined where there is only one kind of lines. */
  filter: LogFilter | undefined;
  search: LogSearchProps;
  look: LogLook;
  isPaused: boolean;
  canTellTimes: boolean;
  onFilter(filter: LogFilter): void;
  onLook(look: LogLook): void;
  onPause(isPaused: boolean): void;
  onDownload(): void;
};

export function LogToolbar(props: LogToolbarProps) {
  const { filter, look, isPaused, onLook } = props;
  const PauseIcon = isPaused ? Play : Pause;
  return (
    <>
      <div className="flex items-center gap-2 max-sm:order-last max-sm:basis-full max-sm:flex-row-reverse">
        <div
          // Nobody can reach it then, but its room is kept, so that nothing moves when it comes.
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
        {props.canTellTimes && (
          <IconButton
            label={MESSAGES.timestamps}
            aria-pressed={look.hasTimes}
            onClick={() => onLook({ ...look, hasTimes: !look.hasTimes })}
          >
            <Clock size={16} aria-hidden="true" />
          </IconButton>
        )}
        <IconButton
          label={MESSAGES.wrap}
          aria-pressed={look.isWrapped}
          onClick={() => onLook({ ...look, isWrapped: !look.isWrapped })}
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
