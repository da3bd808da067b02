import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { AntlerError } from '../../base/errors.ts';
import { refused, removeSkill, writeManifest } from '../skills/install.ts';
import { readManifest } from '../skills/manifest.ts';
import type { SkillShelf } from '../skills/port.ts';
import { MANIFEST_FILE } from '../skills/read-folder.ts';
import { type ScanFinding, scanText } from '../skills/scan.ts';
import { diffLines } from './diff.ts';
import type { Proposal, ProposalDesk, ProposalRecords, ProposalStatus, Wish } from './port.ts';

export interface ProposalDeskOptions {
  readonly records: ProposalRecords;
  readonly shelf: SkillShelf;
  /** Where custom skills lie. */
  readonly custom: string;
  /** An assistant's soul as it is configured. @throws AntlerError `not_found`. */
  readonly configuredSoul: (assistant: string) => Promise<string>;
  readonly clock: Pick<Clock, 'now'>;
}

const MAX_OPEN = 20;
const MAX_SOUL_CHARS = 20_000;
const MAX_LISTED = 200;
/** What models write where they mean nothing. */
const NOTHING = /^(?:null|none|undefined|n\/a|\.\.\.|…)?$/i;

/**
 * Keeps what assistants propose, and makes the change once the owner approves: never before, and never when what it
 * changes is not what it was. Approved proposals are the history, by which a change is taken back.
 */
export function createProposalDesk({
  records,
  shelf,
  custom,
  configuredSoul,
  clock,
}: ProposalDeskOptions): ProposalDesk {
  async function soul(assistant: string, configured: string): Promise<string> {
    const approved = await records.lastApproved('soul', assistant);
    return approved?.base === digest(configured) ? approved.after : configured;
  }

  /** What is there now, of what a proposal changes. */
  async function current({ kind, subject }: Pick<Proposal, 'kind' | 'subject'>): Promise<string | null> {
    return kind === 'soul' ? soul(subject, await configuredSoul(subject)) : manifestOf(subject);
  }

  async function manifestOf(name: string): Promise<string | null> {
    try {
      return await readFile(join(custom, name, MANIFEST_FILE), 'utf8');
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
      throw thrown;
    }
  }

  async function known(id: string): Promise<Proposal> {
    const proposal = await records.get(id.toLowerCase());
    if (proposal === null)
      throw new AntlerError('not_found', `There is no proposal ${JSON.stringify(id.slice(0, 40))}.`);
    return proposal;
  }

  async function decided(proposal: Proposal, status: ProposalStatus): Promise<Proposal> {
    const at = clock.now();
    if (await records.decide(proposal.id, proposal.status, status, at)) return { ...proposal, status, decidedAt: at };
    throw new AntlerError('conflict', `The proposal ${proposal.id} was decided by somebody else meanwhile.`);
  }

  function expect(proposal: Proposal, status: ProposalStatus): void {
    if (proposal.status !== status)
      throw new AntlerError('conflict', `The proposal ${proposal.id} is ${proposal.status}, not ${status}.`);
  }

  return {
    soul,
    propose: async (wish) => {
      checkWish(wish);
      if (wish.kind === 'skill' && (await shelf.contents()).skills.get(wish.subject)?.origin === 'public')
        throw new AntlerError(
          'bad_input',
          `${wish.subject} ships and cannot be changed; propose a skill of another name`,
        );
      const id = digest(JSON.stringify([wish.key, wish.kind, wish.subject, wish.after])).slice(0, 8);
      if ((await records.get(id)) !== null) return id;
      const before = await current(wish);
      if (before === wish.after) throw new AntlerError('bad_input', 'this is what is there already');
      if ((await records.countOpen(wish.assistant)) >= MAX_OPEN)
        throw new AntlerError('conflict', `${MAX_OPEN} proposals wait for the owner already; tell the person`);
      const base = wish.kind === 'soul' ? digest(await configuredSoul(wish.subject)) : '';
      const { key: _, ...rest } = wish;
      await records.add({ ...rest, id, before, base, at: clock.now(), status: 'open', decidedAt: null });
      return id;
    },
    list: () => records.list(MAX_LISTED),
    show: async (id) => {
      const proposal = await known(id);
      return { proposal, diff: diffLines(proposal.before ?? '', proposal.after), findings: findingsIn(proposal) };
    },
    approve: async (id, force) => {
      const proposal = await known(id);
      expect(proposal, 'open');
      const severe = findingsIn(proposal).filter(({ severity }) => severity === 'severe');
      if (severe.length > 0 && !force) throw refused(severe);
      const now = await current(proposal);
      // The same text is there when an earlier approval was cut off in the middle.
      if (now !== proposal.before && now !== proposal.after) throw changedSince(proposal);
      if (proposal.kind === 'soul' && proposal.base !== digest(await configuredSoul(proposal.subject)))
        throw changedSince(proposal);
      if (proposal.kind === 'skill') await writeManifest(proposal.subject, proposal.after, custom);
      return decided(proposal, 'approved');
    },
    reject: async (id) => {
      const proposal = await known(id);
      expect(proposal, 'open');
      return decided(proposal, 'rejected');
    },
    undo: async (id) => {
      const proposal = await known(id);
      expect(proposal, 'approved');
      const { kind, subject, before, after } = proposal;
      const last = await records.lastApproved(kind, subject);
      if (last !== null && last.id !== proposal.id)
        throw new AntlerError('conflict', `The proposal ${last.id} stands on this one; undo that first.`);
      if (kind === 'skill') {
        const now = await current(proposal);
        if (now !== after && now !== before) throw changedSince(proposal);
        if (before !== null) await writeManifest(subject, before, custom);
        else if (now !== null) await removeSkill(subject, custom);
      }
      return decided(proposal, 'undone');
    },
  };
}

/** Refuses what could never be approved, so that the model can mend it. */
function checkWish({ kind, subject, after }: Wish): void {
  if (kind === 'soul') {
    if (NOTHING.test(after.trim())) throw new AntlerError('bad_input', 'soul: write the whole new soul');
    if (after.length > MAX_SOUL_CHARS)
      throw new AntlerError('too_large', `soul: at most ${MAX_SOUL_CHARS} characters, please`);
    return;
  }
  const { manifest } = readManifest(after);
  if (manifest.name !== subject)
    throw new AntlerError('bad_input', `the front matter's name is ${manifest.name}, not ${subject}`);
  const severe = scanText(MANIFEST_FILE, after).filter(({ severity }) => severity === 'severe');
  if (severe.length > 0)
    throw new AntlerError('bad_input', severe.map(({ line, what }) => `line ${line}: ${what}`).join('; '));
}

function findingsIn({ kind, after }: Proposal): readonly ScanFinding[] {
  const findings = scanText(kind === 'skill' ? MANIFEST_FILE : 'soul.md', after);
  if (kind === 'soul') return findings;
  const { secrets } = readManifest(after).manifest;
  if (secrets.length === 0) return findings;
  const what = `wants the secrets ${secrets.join(', ')}`;
  return [...findings, { severity: 'note', file: MANIFEST_FILE, line: 0, what }];
}

const changedSince = ({ id, kind, subject }: Proposal): AntlerError =>
  new AntlerError('conflict', `The ${kind} of ${subject} has changed since proposal ${id}; reject it, and ask again.`);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
