import { arch } from 'node:process';

const SOCKET_CALL: Partial<Record<NodeJS.Architecture, number>> = { x64: 41, arm64: 198 };
const AF_NETLINK = 16;
const ALLOW = 0x7fff0000;
const REFUSE_AS_UNSUPPORTED = 0x00050061;

/** A filter of system calls that refuses the sockets through which the kernel reports its networks, as bubblewrap reads it. */
export function netlinkFilter(): Buffer {
  const socketCall = SOCKET_CALL[arch];
  if (socketCall === undefined) throw new Error(`There is no filter for ${arch}`);
  return Buffer.concat([
    instruction(LOAD, CALL_NUMBER),
    instruction(SKIP_UNLESS_EQUAL, socketCall, 3),
    instruction(LOAD, FIRST_ARGUMENT),
    instruction(SKIP_UNLESS_EQUAL, AF_NETLINK, 1),
    instruction(ANSWER, REFUSE_AS_UNSUPPORTED),
    instruction(ANSWER, ALLOW),
  ]);
}

const LOAD = 0x20;
const SKIP_UNLESS_EQUAL = 0x15;
const ANSWER = 0x06;

/** Offsets in the kernel's `seccomp_data`. */
const CALL_NUMBER = 0;
const FIRST_ARGUMENT = 16;

function instruction(code: number, value: number, skipped = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(skipped, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
