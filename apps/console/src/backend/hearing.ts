export type Hearing = {
  /** What is answered, as long as somebody hears it. */
  heard<Answered>(answer: Promise<Answered>): Promise<Answered>;
  end(): void;
};

/** An answer that comes after the end is heard by nobody: the screen that asked is gone, and must lead nowhere. */
export function createHearing(): Hearing {
  let hasEnded = false;
  return {
    async heard(answer) {
      const answered = await answer;
      return hasEnded ? await new Promise<never>(() => undefined) : answered;
    },
    end() {
      hasEnded = true;
    },
  };
}
