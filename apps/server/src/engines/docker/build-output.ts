/** A line of build progress. The classic builder and BuildKit use different fields. */
export type BuildLine = {
  stream?: string;
  status?: string;
  id?: string;
  error?: string;
  errorDetail?: { code?: number; message?: string };
  aux?: unknown;
};

/** The readable output of a line. */
export function outputOf({ stream, status, id, aux }: BuildLine): Uint8Array[] {
  if (stream !== undefined) return [Buffer.from(stream)];
  // The progress of base image layers is reported every few kilobytes.
  if (status !== undefined) return id === undefined ? [Buffer.from(`${status}\n`)] : [];
  if (id !== 'moby.buildkit.trace' || typeof aux !== 'string') return [];
  const { steps, output } = readTrace(Buffer.from(aux, 'base64'));
  const startedSteps = steps.filter(({ isStarted, isCached }) => isStarted || isCached);
  return [...startedSteps.map(({ name }) => Buffer.from(`${name}\n`)), ...output];
}

/** One status message of BuildKit: its steps and the output of its programs. */
export type BuildkitTrace = {
  steps: { name: string; isStarted: boolean; isCached: boolean; error: string }[];
  output: Buffer[];
};

type Field = { number: number; value: Buffer };

/** Reads BuildKit's StatusResponse: vertexes are field 1, logs field 3. Other fields are ignored. */
export function readTrace(bytes: Buffer): BuildkitTrace {
  const fields = [...fieldsOf(bytes)];
  return {
    steps: fields.filter(({ number }) => number === 1).map(({ value }) => stepOf(value)),
    output: fields
      .filter(({ number }) => number === 3)
      .map(({ value }) => textField(value, 4))
      .filter((line) => line !== undefined),
  };
}

function stepOf(vertex: Buffer): BuildkitTrace['steps'][number] {
  const fields = [...fieldsOf(vertex)];
  const find = (number: number) => fields.find((field) => field.number === number)?.value;
  return {
    name: find(3)?.toString('utf8') ?? '',
    isCached: (find(4)?.length ?? 0) > 0,
    isStarted: find(5) !== undefined && find(6) === undefined,
    error: find(7)?.toString('utf8') ?? '',
  };
}

function textField(message: Buffer, number: number): Buffer | undefined {
  return [...fieldsOf(message)].find((field) => field.number === number)?.value;
}

/** Protocol Buffers: a key of number and kind, then a varint, a length with bytes, or a fixed word. */
function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; at < bytes.length; shift += 7) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const key = varint();
    const kind = key & 7;
    const start = at;
    if (kind === 0) varint();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind !== 2) return;
    const length = kind === 2 ? varint() : at - start;
    const from = kind === 2 ? at : start;
    at = from + length;
    yield { number: Math.floor(key / 8), value: bytes.subarray(from, at) };
  }
}
