/*
 * A filter for system calls, as a program of the kernel's classic BPF. A program in a sandbox has no capabilities, so most of
 * what it must not do fails anyway. The filter takes away what needs no capability: user namespaces, in which a program gets
 * all capabilities back, interfaces with a history of kernel bugs, and kinds of sockets that load modules of the kernel or
 * lead to the hypervisor.
 */

export type Architecture = 'x64' | 'arm64';

type Calls = {
  clone: number;
  unshare: number;
  socket: number;
  fallocate: number;
  refused: readonly number[];
};

/** The same number on every architecture. */
const CLONE3 = 435;
const IO_URING = [425, 426, 427];
const MOUNT_API = [428, 429, 430, 431, 432, 433, 442, 443];

const AUDIT_ARCH: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

const CALLS: Record<Architecture, Calls> = {
  x64: {
    clone: 56,
    unshare: 272,
    socket: 41,
    fallocate: 285,
    refused: [
      // vhangup, pivot_root, acct, mount, umount2, swapon, swapoff, reboot, iopl, ioperm
      ...[153, 155, 163, 165, 166, 167, 168, 169, 172, 173],
      // init_module, delete_module, quotactl, lookup_dcookie, kexec_load, add_key, request_key, keyctl
      ...[175, 176, 179, 212, 246, 248, 249, 250],
      // syslog, perf_event_open, open_by_handle_at, setns, finit_module, kexec_file_load, bpf, userfaultfd
      ...[103, 298, 304, 308, 313, 320, 321, 323],
    ],
  },
  arm64: {
    clone: 220,
    unshare: 97,
    socket: 198,
    fallocate: 47,
    refused: [
      // vhangup, pivot_root, acct, mount, umount2, swapon, swapoff, reboot
      ...[58, 41, 89, 40, 39, 224, 225, 142],
      // init_module, delete_module, quotactl, lookup_dcookie, kexec_load, add_key, request_key, keyctl
      ...[105, 106, 60, 18, 104, 217, 218, 219],
      // syslog, perf_event_open, open_by_handle_at, setns, finit_module, kexec_file_load, bpf, userfaultfd
      ...[116, 241, 265, 268, 273, 294, 280, 282],
    ],
  },
};

const CLONE_NEWUSER = 0x10000000;
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const SOCKET_FAMILIES = [1, 2, 10, 16];
/** Calls of the x32 interface have this bit. */
const X32_BIT = 0x40000000;

const EPERM = 1;
const ENOSYS = 38;
const EOPNOTSUPP = 95;
const EAFNOSUPPORT = 97;
const ALLOW = 0x7fff0000;
const refuse = (errno: number) => 0x00050000 | errno;

/** Offsets in the kernel's `seccomp_data`. */
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

type Instruction = { code: number; ifTrue?: number; ifFalse?: number; value: number };

const load = (offset: number): Instruction => ({ code: 0x20, value: offset });
const answer = (value: number): Instruction => ({ code: 0x06, value });
const skipUnlessEqual = (value: number, count: number): Instruction => ({
  code: 0x15,
  ifFalse: count,
  value,
});
const skipIfLess = (value: number, count: number): Instruction => ({
  code: 0x35,
  ifFalse: count,
  value,
});
const skipUnlessBit = (value: number, count: number): Instruction => ({
  code: 0x45,
  ifFalse: count,
  value,
});

/** The filter as bubblewrap reads it. */
export function seccompFilter(architecture: Architecture): Buffer {
  const { clone, unshare, socket, fallocate, refused } = CALLS[architecture];
  const instructions = [
    load(ARCHITECTURE),
    skipUnlessEqual(AUDIT_ARCH[architecture], 1),
    load(CALL_NUMBER),
    // Reached with the architecture still loaded if it is a different one, which is a number above all calls.
    skipIfLess(X32_BIT, 1),
    answer(refuse(ENOSYS)),
    // Its flags are in memory, where the filter cannot read them. Programs fall back to clone.
    skipUnlessEqual(CLONE3, 1),
    answer(refuse(ENOSYS)),
    ...[...refused, ...IO_URING, ...MOUNT_API].flatMap((call) => [
      skipUnlessEqual(call, 1),
      answer(refuse(EPERM)),
    ]),
    ...[clone, unshare].flatMap((call) => [
      skipUnlessEqual(call, 4),
      load(FIRST_ARGUMENT),
      skipUnlessBit(CLONE_NEWUSER, 1),
      answer(refuse(EPERM)),
      answer(ALLOW),
    ]),
    // The output of an app is a file on the disk of the machine: it could reserve all of that in one call, without a trace in
    // the size of the file. Programs write zeros instead, as on file systems without this call.
    skipUnlessEqual(fallocate, 1),
    answer(refuse(EOPNOTSUPP)),
    skipUnlessEqual(socket, 2 * SOCKET_FAMILIES.length + 2),
    load(FIRST_ARGUMENT),
    ...SOCKET_FAMILIES.flatMap((family) => [skipUnlessEqual(family, 1), answer(ALLOW)]),
    answer(refuse(EAFNOSUPPORT)),
    answer(ALLOW),
  ];
  return Buffer.concat(instructions.map(encode));
}

function encode({ code, ifTrue = 0, ifFalse = 0, value }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
