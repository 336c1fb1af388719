/** The signals that ended containers, by exit code: 128 + signal number. */
export const EXIT_SIGNALS: Record<number, string> = {
  130: 'SIGINT',
  131: 'SIGQUIT',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
};
