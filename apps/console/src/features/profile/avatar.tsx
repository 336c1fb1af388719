import { clsx } from 'clsx';

const COLOURS = ['bg-[#1d4ed8]', 'bg-[#15803d]', 'bg-[#7c3aed]', 'bg-[#be185d]'];

export function Avatar({ initials, colour }: { initials: string; colour: number }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'grid size-14 place-items-center rounded-full text-lg font-semibold text-white',
        COLOURS[colour],
      )}
    >
      {initials}
    </span>
  );
}
