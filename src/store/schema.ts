import type { Generated, Kysely } from 'kysely';
import type {
  FileId,
  ImUserKey,
  MemorySubject,
  PersonId,
  RunId,
  ScheduleId,
  TaskId,
  ThreadId,
  ThreadKey,
} from '../base/ids.ts';
import type { Role } from '../base/roles.ts';
import type { Language } from '../base/sentences.ts';
import type { HostedMessage } from '../channel/port.ts';
import type { LogEntry } from '../harness/log.ts';
import type { Proposal, ProposalStatus } from '../harness/proposals/port.ts';
import type { Schedule } from '../schedules/port.ts';
import type { TaskEvent, TaskState } from '../tasks/port.ts';
import type { FactCategory, JobNotice, SummaryKind } from './memory/port.ts';
import type { ChatRecord, Counter, FileMeta, RunStatus, Span } from './port.ts';

/**
 * The tables as the newest migration leaves them. Types are the portable ones: text, bytes, and whole numbers that fit
 * a JavaScript number (moments are milliseconds since the epoch). JSON is text that is written and parsed here.
 */
export interface Tables {
  threads: ThreadTable;
  runs: RunTable;
  log_entries: LogEntryTable;
  run_events: RunEventTable;
  im_users: ImUserTable;
  person_roles: PersonRoleTable;
  link_requests: LinkRequestTable;
  place_choices: PlaceChoiceTable;
  chats: ChatTable;
  audit: AuditTable;
  schedules: ScheduleTable;
  settings: SettingTable;
  hosted_messages: HostedMessageTable;
  channel_state: ChannelStateTable;
  admissions: AdmissionTable;
  pairing_requests: PairingRequestTable;
  chat_moves: ChatMoveTable;
  proposals: ProposalTable;
  tasks: TaskTable;
  task_events: TaskEventTable;
  task_messages: TaskMessageTable;
  task_gates: TaskGateTable;
  files: FileTable;
  file_chunks: FileChunkTable;
  usage: UsageTable;
  usage_ledger: UsageLedgerTable;
  run_slots: RunSlotTable;
  usage_notices: UsageNoticeTable;
  memory_subjects: MemorySubjectTable;
  memory_facts: MemoryFactTable;
  memory_summaries: MemorySummaryTable;
  memory_jobs: MemoryJobTable;
  overheard: OverheardTable;
}

export type Database = Kysely<Tables>;

/** A place's threads are numbered; the highest generation is the current one. */
interface ThreadTable {
  id: ThreadId;
  key: ThreadKey;
  generation: number;
  created_at: number;
  title: string | null;
}

interface RunTable {
  id: RunId;
  thread: ThreadId;
  status: RunStatus;
  assistant: string;
  model: string;
  first_seq: number;
  started_at: number;
  ended_at: number | null;
  result: string | null;
  error_code: string | null;
  error_detail: string | null;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
}

interface LogEntryTable {
  thread: ThreadId;
  position: number;
  run: RunId;
  kind: LogEntry['kind'];
  body: string;
}

interface RunEventTable {
  run: RunId;
  seq: number;
  at: number;
  type: string;
  data: string;
}

interface ImUserTable {
  key: ImUserKey;
  name: string;
  is_bot: number;
  language: string | null;
  first_seen_at: number;
  last_seen_at: number;
  person: PersonId;
  chosen_language: Language | null;
}

interface PersonRoleTable {
  person: PersonId;
  role: Role;
  granted_by: string;
  granted_at: number;
}

interface LinkRequestTable {
  code: string;
  asked_by: ImUserKey;
  /** JSON of channel and chat. */
  asked_in: string;
  claimed_by: ImUserKey | null;
  claimed_in: string | null;
  claimer_agrees: Generated<number>;
  asked_at: number;
}

interface PlaceChoiceTable {
  place: ThreadKey;
  assistant: string | null;
  model: string | null;
  chosen_by: ImUserKey;
  chosen_at: number;
}

interface ChatTable {
  channel: string;
  chat: string;
  kind: ChatRecord['kind'];
  title: string | null;
  im_user: ImUserKey | null;
  first_seen_at: number;
  last_seen_at: number;
}

export interface ScheduleTable {
  id: ScheduleId;
  channel: string;
  chat: string;
  owner: ImUserKey;
  /** JSON of an {@link InboundMessage}. */
  message: string;
  language: Language;
  /** JSON of a {@link Schedule.when}. */
  due: string;
  state: Schedule['state'];
  why: string | null;
  next_at: number | null;
  last_at: number | null;
  created_at: number;
}

interface AuditTable {
  id: string;
  at: number;
  actor: string;
  action: string;
  subject: string;
  /** JSON. */
  details: string;
}

interface SettingTable {
  key: string;
  value: string;
  updated_at: number;
}

interface HostedMessageTable {
  channel: string;
  chat: string;
  seq: number;
  id: string;
  author: HostedMessage['author'];
  name: string;
  markdown: string;
  at: number;
  /** JSON of its {@link HostedMessage.files}; null: none. */
  files: string | null;
}

interface ChannelStateTable {
  channel: string;
  key: string;
  value: string;
  updated_at: number;
}

interface FileTable {
  id: FileId;
  thread: ThreadId;
  channel: string;
  chat: string;
  owner: ImUserKey;
  direction: FileMeta['direction'];
  kind: FileMeta['kind'];
  name: string;
  mime: string;
  bytes: number;
  sha256: string;
  created_at: number;
}

interface FileChunkTable {
  file: FileId;
  position: number;
  content: Uint8Array;
}

interface AdmissionTable {
  channel: string;
  user: string;
  name: string;
  admitted_by: string;
  admitted_at: number;
}

interface PairingRequestTable {
  code: string;
  channel: string;
  user: string;
  chat: string;
  name: string;
  language: string;
  requested_at: number;
}

interface ChatMoveTable {
  channel: string;
  chat: string;
  moved_to: string;
  moved_at: number;
}

interface UsageTable {
  kind: Counter['kind'];
  id: string;
  span: Span;
  /** When the hour or the day began. */
  start: number;
  /** Empty in the rows that count runs. */
  model: string;
  runs: Generated<number>;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
}

/** What is counted already: a turn (`model` is empty), or the tokens of one of its runs by model. */
interface UsageLedgerTable {
  id: string;
  model: string;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  at: number;
}

interface RunSlotTable {
  kind: Counter['kind'];
  id: string;
  turn: string;
  holder: string;
  until: number;
}

interface UsageNoticeTable {
  topic: string;
  start: number;
  turn: string;
}

interface MemorySubjectTable {
  subject: MemorySubject;
  is_off: Generated<number>;
  erased_at: number | null;
  /** Of its next fact. */
  next_number: Generated<number>;
  /** JSON of all that is told of it: facts and summaries again, since every turn reads them. */
  told: Generated<string>;
  /** JSON of moments by hash. */
  forgotten: Generated<string>;
  /** JSON. */
  undo: string | null;
  changed_at: number;
}

export interface MemoryFactTable {
  id: string;
  subject: MemorySubject;
  number: number;
  hash: string;
  content: string;
  category: FactCategory;
  /** In hundredths. */
  confidence: number;
  thread: ThreadId | null;
  entry: string | null;
  said_at: number | null;
  said_by: ImUserKey | null;
  speaker: string;
  created_at: number;
  last_seen_at: number;
  valid_until: number | null;
  is_private: number;
}

interface MemorySummaryTable {
  subject: MemorySubject;
  kind: SummaryKind;
  content: string;
  updated_at: number;
}

interface MemoryJobTable {
  subject: MemorySubject;
  thread: ThreadId;
  im_user: ImUserKey | null;
  channel: string;
  chat: string;
  chat_kind: JobNotice['chatKind'];
  assistant: string;
  language: Language;
  read_to: number | null;
  notices: number;
  /** When the first of what waits was said; null: nothing waits. */
  first_at: number | null;
  due_at: number | null;
  attempts: Generated<number>;
  holder: string | null;
  lease_until: number | null;
}

interface OverheardTable {
  channel: string;
  chat: string;
  id: string;
  place: ThreadKey;
  name: string;
  text: string;
  at: number;
  kept_at: number;
}

export interface TaskTable {
  id: TaskId;
  channel: string;
  chat: string;
  requester: ImUserKey;
  message: string;
  role: Role;
  language: Language;
  title: string;
  assistant: string;
  state: TaskState;
  thread: ThreadId;
  card: string | null;
  assignee: ImUserKey | null;
  assignee_name: string | null;
  parent: TaskId | null;
  hop: number;
  deadline_at: number | null;
  created_at: number;
  updated_at: number;
  reminded_at: number | null;
  summary: string | null;
  version: number;
}

interface TaskEventTable {
  task: TaskId;
  seq: number;
  at: number;
  actor: string;
  kind: TaskEvent['kind'];
  data: string;
}

interface TaskMessageTable {
  channel: string;
  chat: string;
  message: string;
  task: TaskId;
}

interface TaskGateTable {
  id: string;
  passed: number;
}

export interface ProposalTable {
  id: string;
  kind: Proposal['kind'];
  assistant: string;
  subject: string;
  before_text: string | null;
  after_text: string;
  base: string;
  reason: string;
  by_id: string;
  by_name: string;
  proposed_at: number;
  status: ProposalStatus;
  decided_at: number | null;
}
