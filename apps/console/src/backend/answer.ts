/** Without a message where nobody said one: the screen has its own words. */
export type Answer<Value> = { ok: true; value: Value } | { ok: false; message: string };
