/** More rows than anybody looks at; an answer is bounded by its size too. */
export const MAX_ROWS = 10_000;
