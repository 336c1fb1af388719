/** Why a call failed. `error` is a code, `message` a sentence to show. Spec §8. */
export type RequestError = { status: number; error: string; message: string };

export type RequestResult<Data> = { ok: true; data: Data } | { ok: false; error: RequestError };
