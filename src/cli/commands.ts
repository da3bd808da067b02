/** What an admin does with skills. */
export type SkillCommand = 'skills list' | 'skills check' | 'skills install' | 'skills remove';
/** What the owner does with changes that assistants propose. */
export type ProposalCommand =
  | 'proposals list'
  | 'proposals show'
  | 'proposals approve'
  | 'proposals reject'
  | 'proposals undo';
/** What an admin sees and changes of people. */
export type PeopleCommand =
  | 'people list'
  | 'people role'
  | 'people link'
  | 'people unlink'
  | 'people audit'
  | 'config explain';
/** What an admin does with what is remembered about somebody. */
export type MemoryCommand = 'memory export' | 'memory import' | 'memory erase';
/** Commands whose name is followed by one word more. */
export type OperandCommand =
  | Exclude<PeopleCommand, 'people list' | 'people audit'>
  | MemoryCommand
  | OperatorOperandCommand
  | Exclude<SkillCommand, 'skills list'>
  | Exclude<ProposalCommand, 'proposals list'>;
type OperatorOperandCommand =
  | 'channels pause'
  | 'channels resume'
  | 'channels login-code'
  | 'pairing approve'
  | 'pairing deny'
  | 'pairing revoke'
  | 'dead-letters replay'
  | 'dead-letters drop';
/** What an operator does with a bus. */
export type OperatorCommand = 'channels list' | 'pairing list' | 'dead-letters list' | 'usage' | OperatorOperandCommand;
export type CommandName =
  | 'start'
  | 'gateway'
  | 'worker'
  | 'chat'
  | 'doctor'
  | 'config check'
  | 'owner-token'
  | PeopleCommand
  | OperatorCommand
  | SkillCommand
  | ProposalCommand
  | MemoryCommand
  | 'demo'
  | 'help'
  | 'version';
export type OptionName = 'config' | 'host' | 'port' | 'processes' | 'limit' | 'text' | 'person' | 'force' | 'json';

interface Command {
  readonly summary: string;
  /** More than the one line, for `antler help <command>`. */
  readonly detail: string;
  readonly options: readonly OptionName[];
}

type Commands = {
  readonly [Name in CommandName]: Name extends OperandCommand
    ? Command & {
        /** What the word stands for, e.g. `NAME`. */
        readonly operand: string;
      }
    : Command;
};

/** The commands of an operator go to the Antler that runs at the configured address, else to the bus itself. */
const operatorOptions = ['config', 'host', 'port', 'json'] as const;

/**
 * What `antler` can do; help and parsing are made of this. A command of two words that ends in `list` is also what its
 * first word alone means.
 */
export const commands: Commands = {
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
      'Talks to the Antler that runs at the configured address, else to one of its own, and says to which. Ctrl-C stops an answer; twice, or Ctrl-D, leaves. Reads lines from a pipe, too: echo "Hello" | antler chat',
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
  'config explain': {
    summary: 'show who would answer a message, and why',
    detail:
      'CHANNEL/USER is a private chat, CHANNEL/CHAT/USER a group; write a slash within an id as %2F. With --text, what the message says. Reads the database, and asks no platform: roles of its groups are not known.',
    operand: 'CHANNEL/CHAT/USER',
    options: ['config', 'text', 'json'],
  },
  'owner-token': {
    summary: "make a new owner's token, when the old one is lost",
    detail:
      'Prints it once; the former one counts no more, and every browser has to sign in again. Works whether Antler runs or not.',
    options: ['config'],
  },
  'channels list': {
    summary: 'show the channels, and how much waits',
    detail: 'Says of each channel what its connection does and whether it is paused. `antler channels` is the same.',
    options: operatorOptions,
  },
  'channels pause': {
    summary: 'let a channel wait: nothing of it is answered or sent',
    detail:
      'What people write meanwhile is kept; an answer that is being worked on is finished, but sent only after `antler channels resume`. Restarts change nothing about it.',
    operand: 'NAME',
    options: operatorOptions,
  },
  'channels resume': {
    summary: 'let a paused channel go on',
    detail: 'What has waited is answered and sent in its order.',
    operand: 'NAME',
    options: operatorOptions,
  },
  'channels login-code': {
    summary: 'hand in the number that an app shows while a channel logs in',
    detail:
      'For channels that log in by QR code and then ask for a number. Needs a running Antler. Its page, /channels/NAME/login, takes the number too.',
    operand: 'NAME=NUMBER',
    options: operatorOptions,
  },
  'pairing list': {
    summary: 'show who asks to be let in, and who was',
    detail:
      'For channels whose access is `dm: pairing`: a stranger gets a code and is let in when you approve it. Needs a running Antler. `antler pairing` is the same.',
    options: operatorOptions,
  },
  'pairing approve': {
    summary: 'let in who has this code',
    detail: 'They are told at once. Admins of a channel can do the same in a chat: /pair CODE.',
    operand: 'CODE',
    options: operatorOptions,
  },
  'pairing deny': {
    summary: 'turn down who has this code',
    detail: 'They are told at once, and may ask again later.',
    operand: 'CODE',
    options: operatorOptions,
  },
  'pairing revoke': {
    summary: 'shut out again who was let in by a code',
    detail: 'What is being answered is finished; what they write from now on gets a code again.',
    operand: 'CHANNEL/USER',
    options: operatorOptions,
  },
  'people list': {
    summary: 'show who wrote to the bot, and what they are',
    detail: 'Those seen last first, with the keys that the commands below take. `antler people` is the same.',
    options: ['config', 'limit', 'json'],
  },
  'people role': {
    summary: 'make somebody owner, admin, operator, member or guest',
    detail: 'Counts at once, on every platform that the person is linked on. `none` takes the role away again.',
    operand: 'KEY=ROLE',
    options: ['config', 'json'],
  },
  'people link': {
    summary: 'make one person of two accounts',
    detail: 'They share what the bot remembers from then on. People do that themselves with /link.',
    operand: 'KEY=KEY',
    options: ['config', 'json'],
  },
  'people unlink': {
    summary: 'make an account a person of its own again',
    detail: 'What it told the bot goes with it.',
    operand: 'KEY',
    options: ['config', 'json'],
  },
  'people audit': {
    summary: 'show who changed what',
    detail: 'Newest first: roles, links, what was erased, what was sent to everybody.',
    options: ['config', 'limit', 'json'],
  },
  'memory export': {
    summary: 'print what is remembered about somebody',
    detail:
      'As JSON, with where each fact comes from. KEY is of any of their accounts, see `antler people`. Is audited.',
    operand: 'KEY',
    options: ['config', 'json'],
  },
  'memory import': {
    summary: 'take a memory.json over as what is remembered about somebody',
    detail:
      'The file is of DeerFlow, or of `antler memory export`. What is known already stays; say whose it is by --person.',
    operand: 'FILE',
    options: ['config', 'person', 'json'],
  },
  'memory erase': {
    summary: 'erase what is remembered about somebody',
    detail: 'Facts, summaries, and what they have told of groups. It cannot be brought back. Is audited.',
    operand: 'KEY',
    options: ['config', 'json'],
  },
  'dead-letters list': {
    summary: 'show what could not be answered or delivered',
    detail: 'Newest first. `antler dead-letters` is the same.',
    options: [...operatorOptions, 'limit'],
  },
  'dead-letters replay': {
    summary: 'try a dead letter once more',
    detail:
      'A turn goes back into its conversation, a message back to its chat. One of kind "uncertain" may have arrived already; then people see it twice.',
    operand: 'ID|all',
    options: operatorOptions,
  },
  'dead-letters drop': {
    summary: 'throw a dead letter away',
    detail: 'It cannot be brought back.',
    operand: 'ID|all',
    options: operatorOptions,
  },
  usage: {
    summary: 'show who has used what',
    detail:
      'Those that have used most tokens today come first: people with all their accounts, chats, channels, assistants, each with its limits and, where models have a `price`, the cost. Needs a running Antler.',
    options: [...operatorOptions, 'limit'],
  },
  'skills list': {
    summary: 'show the skills that assistants can have',
    detail: 'Those that ship and your own, and what is wrong with a broken one. `antler skills` is the same.',
    options: ['config', 'json'],
  },
  'skills check': {
    summary: 'look over a skill before it is installed',
    detail:
      'Checks a folder or an archive (.zip, .skill) with a SKILL.md, and says what an admin should know of. Exits with 1 on a severe finding.',
    operand: 'FOLDER|FILE',
    options: ['config', 'json'],
  },
  'skills install': {
    summary: 'install a skill from a folder or an archive',
    detail:
      'Checks it first; a severe finding stops it, unless you say --force. One of the same name is replaced. Assistants have it from their next message on.',
    operand: 'FOLDER|FILE',
    options: ['config', 'force', 'json'],
  },
  'skills remove': {
    summary: 'remove a skill of your own',
    detail: 'Those that ship stay; leave them out of the `skills` of an assistant instead.',
    operand: 'NAME',
    options: ['config', 'json'],
  },
  'proposals list': {
    summary: 'show what assistants propose to change',
    detail:
      'Changes of an own soul and of skills, for assistants with `proposals: true`. `antler proposals` is the same.',
    options: ['config', 'json'],
  },
  'proposals show': {
    summary: 'show a proposal, line by line',
    detail: 'With who asked for it, why, and what one should know of.',
    operand: 'ID',
    options: ['config', 'json'],
  },
  'proposals approve': {
    summary: 'make a proposed change',
    detail: 'It counts from the next message on. Refused when what it changes has changed since.',
    operand: 'ID',
    options: ['config', 'force', 'json'],
  },
  'proposals reject': {
    summary: 'turn a proposal down',
    detail: 'It stays in the list as rejected.',
    operand: 'ID',
    options: ['config', 'json'],
  },
  'proposals undo': {
    summary: 'take an approved change back',
    detail: 'What was there before counts again. Refused when it has changed since.',
    operand: 'ID',
    options: ['config', 'json'],
  },
  demo: {
    summary: 'try it offline: two people, a simulated Telegram and a demo model',
    detail: 'Needs no account and no key. Nothing leaves this machine, and nothing is kept.',
    options: ['host', 'port'],
  },
  help: { summary: 'show this list, or more about one command', detail: 'antler help <command>', options: [] },
  version: { summary: 'print the version', detail: 'Prints the versions of Antler and Node.', options: [] },
};

interface Option {
  /** What its value stands for, e.g. `FILE`; null: it is there or not. */
  readonly value: string | null;
  readonly summary: string;
  /** One letter that means the same. */
  readonly short?: string;
  /** The value is a whole number from the one to the other. */
  readonly range?: readonly [least: number, most: number];
}

export const options: Readonly<Record<OptionName, Option>> = {
  config: {
    value: 'FILE',
    summary: 'configuration (default: $ANTLER_CONFIG, else ./config.yaml if it is there)',
    short: 'c',
  },
  host: { value: 'ADDRESS', summary: 'address that Antler listens on (default: 127.0.0.1)' },
  port: {
    value: 'NUMBER',
    summary: 'port that Antler listens on (default: 2026; 0 takes any free one)',
    short: 'p',
    range: [0, 65_535],
  },
  processes: {
    value: 'NUMBER',
    summary: 'worker processes on this machine (default: 1, without a supervisor)',
    range: [1, 64],
  },
  limit: { value: 'NUMBER', summary: 'show at most so many (default: 20)', short: 'n', range: [1, 1_000] },
  text: { value: 'WORDS', summary: 'what the message says' },
  person: { value: 'KEY', summary: 'whose it is, by the key of one of their accounts' },
  force: { value: null, summary: 'in spite of severe findings' },
  json: { value: null, summary: 'print JSON, for scripts' },
};

export const commandNames = Object.keys(commands) as readonly CommandName[];
export const optionNames = Object.keys(options) as readonly OptionName[];
