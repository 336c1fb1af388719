import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type Tone = 'busy' | 'bad' | 'idle';

const TONES: Record<Tone, string> = {
  busy: 'border-busy-line bg-busy-wash text-busy',
  bad: 'border-bad-line bg-bad-wash text-bad',
  idle: 'border-line bg-idle-wash text-idle',
};

type NoticeProps = { tone: Tone; icon?: ReactNode; children: ReactNode };

export function Notice({ tone, icon, children }: NoticeProps) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={clsx('flex items-start gap-2.5 rounded-box border px-4 py-3', TONES[tone])}
    >
      {icon !== undefined && <span className="mt-0.5 shrink-0">{icon}</span>}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
