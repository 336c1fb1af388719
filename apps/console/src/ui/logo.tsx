/** A harbour crane with a container. */
export function Logo({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <g
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M9 20V6l15 4M17 8.2v4.3" />
        <path d="M3 25.5c2.2-2.2 4.4-2.2 6.6 0s4.4 2.2 6.6 0 4.4-2.2 6.6 0 4.4 2.2 6.2 0" />
      </g>
      <rect x="13.5" y="12.5" width="7" height="5.5" rx="1.2" className="fill-accent" />
    </svg>
  );
}
