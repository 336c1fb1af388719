/*
 * System calls of a builder. Unlike an app it needs namespaces and mounts, for the steps of its builds. It gets neither what has
 * nothing to do with that, nor interfaces with a history of kernel bugs.
 */

const REFUSED = [
  ...['acct', 'bpf', 'fanotify_init', 'ioperm', 'iopl', 'kcmp', 'lookup_dcookie', 'nfsservctl'],
  ...['open_by_handle_at', 'perf_event_open', 'quotactl', 'quotactl_fd', 'reboot', 'swapoff'],
  ...['swapon', 'sysfs', 'syslog', 'uselib', 'userfaultfd', 'ustat', 'vhangup', 'vm86', 'vm86old'],
  ...['clock_adjtime', 'clock_settime', 'settimeofday', 'stime'],
  ...['delete_module', 'finit_module', 'init_module', 'kexec_file_load', 'kexec_load'],
];
/** Programs use something else when the kernel does not have these. */
const ABSENT = [
  ...['io_uring_enter', 'io_uring_register', 'io_uring_setup'],
  ...['add_key', 'keyctl', 'request_key'],
];
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const SOCKET_FAMILIES = [1, 2, 10, 16];
const NETLINK = 16;
/** Rules of the firewall and encrypted connections. */
const NETLINK_NETFILTER = 12;
const NETLINK_XFRM = 6;

const equals = (index: number, value: number) => ({ index, value, op: 'SCMP_CMP_EQ' });
const refuse = (names: string[], errnoRet: number, args: object[] = []) => ({
  names,
  action: 'SCMP_ACT_ERRNO',
  errnoRet,
  args,
});
const lastFamily = Math.max(...SOCKET_FAMILIES);
const otherFamilies = Array.from({ length: lastFamily }, (_, family) => family).filter(
  (family) => !SOCKET_FAMILIES.includes(family),
);

/** In the form that Docker reads. */
export const BUILDER_SECCOMP_PROFILE = {
  defaultAction: 'SCMP_ACT_ALLOW',
  archMap: [
    { architecture: 'SCMP_ARCH_X86_64', subArchitectures: ['SCMP_ARCH_X86', 'SCMP_ARCH_X32'] },
    { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: ['SCMP_ARCH_ARM'] },
  ],
  syscalls: [
    refuse(REFUSED, EPERM),
    refuse(ABSENT, ENOSYS),
    refuse(['socket'], EAFNOSUPPORT, [{ index: 0, value: lastFamily, op: 'SCMP_CMP_GT' }]),
    ...otherFamilies.map((family) => refuse(['socket'], EAFNOSUPPORT, [equals(0, family)])),
    ...[NETLINK_NETFILTER, NETLINK_XFRM].map((protocol) =>
      refuse(['socket'], EPERM, [equals(0, NETLINK), equals(2, protocol)]),
    ),
  ],
};
