export type CommandName =
  | 'start'
  | 'gateway'
  | 'worker'
  | 'chat'
  | 'doctor'
  | 'config check'
  | 'demo'
  | 'help'
  | 'version';
export type OptionName = 'config' | 'host' | 'port' | 'processes';

interface Command {
  readonly summary: string;
  /** More than the one line, for `antler help <command>`. */
  readonly detail: string;
  readonly options: readonly OptionName[];
}

/** What `antler` can do; help and parsing are made of this. */
export const commands: Readonly<Record<CommandName, Command>> = {
  start: {
    summary: 'run everything in one process: page, channels and worker',
    detail: 'Serves the page and the web chat, connects the channels and answers. This is what `npm start` does.',
    options: ['config', 'host', 'port'],
  },
  gateway: {
    summary: 'run only the page and the channels',
    detail: 'Takes messages in and sends answers out. Needs Redis and PostgreSQL, and at least one `antler worker`.',
    options: ['config', 'host', 'port'],
  },
  worker: {
    summary: 'run only the part that answers',
    detail:
      'Takes turns from Redis and runs the assistants. Start as many as you like, on as many machines. With --processes, several run under a supervisor that replaces one that dies and hands its work to others at once.',
    options: ['config', 'processes'],
  },
  chat: {
    summary: 'talk to the assistant in this terminal',
    detail:
      'Ctrl-C stops an answer; twice, or Ctrl-D, leaves. Reads lines from a pipe, too: echo "Hello" | antler chat',
    options: ['config', 'host', 'port'],
  },
  doctor: {
    summary: 'check the installation and say what to do',
    detail: 'Checks configuration, data folder, Redis, database, models, channels and port. Exits with 1 on a failure.',
    options: ['config', 'host', 'port'],
  },
  'config check': {
    summary: 'check the configuration alone',
    detail: 'Lists every mistake with file, line and key. Connects to nothing. Exits with 1 on a mistake.',
    options: ['config', 'host', 'port'],
  },
  demo: {
    summary: 'try it offline: two people, a simulated Telegram and a demo model',
    detail: 'Needs no account and no key. Nothing leaves this machine, and nothing is kept.',
    options: ['host', 'port'],
  },
  help: { summary: 'show this list, or more about one command', detail: 'antler help <command>', options: [] },
  version: { summary: 'print the version', detail: 'Prints the versions of Antler and Node.', options: [] },
};

export const options: Readonly<Record<OptionName, { readonly value: string; readonly summary: string }>> = {
  config: { value: 'FILE', summary: 'configuration (default: $ANTLER_CONFIG, else ./config.yaml if it is there)' },
  host: { value: 'ADDRESS', summary: 'address to listen on (default: 127.0.0.1)' },
  processes: { value: 'NUMBER', summary: 'worker processes on this machine (default: 1, without a supervisor)' },
  port: { value: 'NUMBER', summary: 'port to listen on (default: 2026; 0 takes any free one)' },
};

export const commandNames = Object.keys(commands) as readonly CommandName[];
export const optionNames = Object.keys(options) as readonly OptionName[];
