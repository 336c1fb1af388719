import { open } from 'node:fs/promises';

type AuditedRequest = {
  receivedAt: number;
  verb: string;
  namespace: string | undefined;
  what: string;
};

type Line = {
  stage: string;
  requestReceivedTimestamp: string;
  verb: string;
  objectRef?: { resource: string; subresource?: string; namespace?: string };
};

/** The log that an API server writes of the requests of a server. */
export function openAuditLog(path: string) {
  let position = 0;
  let pending = '';
  return {
    /** The requests since the last call, in the order in which they arrived. */
    async read(): Promise<AuditedRequest[]> {
      const file = await open(path);
      try {
        const { size } = await file.stat();
        const { buffer } = await file.read({ buffer: Buffer.alloc(size - position), position });
        position = size;
        const lines = (pending + buffer.toString('utf8')).split('\n');
        pending = lines.pop() ?? '';
        return lines.flatMap(parseLine);
      } finally {
        await file.close();
      }
    },
  };
}

function parseLine(line: string): AuditedRequest[] {
  const { stage, requestReceivedTimestamp, verb, objectRef } = JSON.parse(line) as Line;
  if (stage !== 'RequestReceived') return [];
  return [
    {
      receivedAt: Date.parse(requestReceivedTimestamp),
      verb,
      namespace: objectRef?.namespace,
      what: [verb, objectRef?.resource, objectRef?.subresource].filter(Boolean).join(' '),
    },
  ];
}
