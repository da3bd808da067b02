import type { Proposal, ProposalDesk, ProposalView } from '../harness/proposals/port.ts';
import type { ProposalCommand } from './commands.ts';
import { columns, type Report } from './operate/report.ts';

export interface ProposalsOptions {
  readonly command: ProposalCommand;
  /** The word behind the command; empty where it takes none. */
  readonly operand: string;
  readonly force?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly desk: Omit<ProposalDesk, 'propose' | 'soul'>;
  readonly print: (text: string) => void;
}

/** `antler proposals …`. Rejects with an `AntlerError` that says what to do. */
export async function runProposals({ json = false, print, ...options }: ProposalsOptions): Promise<void> {
  const report = await reportOn(options);
  print(json ? JSON.stringify(report.json, null, 2) : report.lines.join('\n'));
}

async function reportOn({ command, operand, force, desk }: Omit<ProposalsOptions, 'json' | 'print'>): Promise<Report> {
  switch (command) {
    case 'proposals list':
      return listReport(await desk.list());
    case 'proposals show':
      return showReport(await desk.show(operand));
    case 'proposals approve':
      return decidedReport(await desk.approve(operand, force === true), 'is approved, and counts from now on');
    case 'proposals reject':
      return decidedReport(await desk.reject(operand), 'is rejected');
    case 'proposals undo':
      return decidedReport(await desk.undo(operand), 'is taken back');
    default:
      return command satisfies never;
  }
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 80).toWellFormed();

function listReport(proposals: readonly Proposal[]): Report {
  const rows = proposals.map((one) => [
    one.id,
    one.status,
    day(one.at),
    `${one.kind} ${one.subject}`,
    oneLine(one.reason),
  ]);
  const hint = '"antler proposals show ID" shows one, "antler proposals approve ID" makes the change.';
  return {
    lines: proposals.length === 0 ? ['No assistant has proposed anything.'] : [...columns(rows), hint],
    json: proposals,
  };
}

function showReport(view: ProposalView): Report {
  const { proposal, diff, findings } = view;
  const { id, kind, subject, assistant, by, at, status, reason } = proposal;
  return {
    lines: [
      `${id} (${status}): the ${kind} of ${subject}, proposed by ${assistant}, asked by ${by.name} (${by.id}) on ${day(at)}`,
      `Why: ${reason}`,
      ...findings.map(({ severity, line, what }) => `${severity}${line === 0 ? '' : `, line ${line}`}: ${what}`),
      '',
      ...diff,
    ],
    json: view,
  };
}

const decidedReport = (proposal: Proposal, what: string): Report => ({
  lines: [`The proposal ${proposal.id} (${proposal.kind} of ${proposal.subject}) ${what}.`],
  json: proposal,
});
