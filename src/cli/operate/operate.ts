import type { Operator } from '../../admin/operator.ts';
import { AntlerError } from '../../base/errors.ts';
import type { OperatorCommand } from '../commands.ts';
import { channelReport, codeReport, pausedReport, resumedReport } from './channels.ts';
import { droppedReport, letterReport, replayedReport, sweptReport } from './letters.ts';
import { approvedReport, deniedReport, pairingReport, revokedReport } from './pairing.ts';
import type { Report } from './report.ts';
import { usageReport } from './usage.ts';

export interface OperateOptions {
  readonly command: OperatorCommand;
  /** The word behind the command; empty where it takes none. */
  readonly operand: string;
  /** How much to list. Default: 20. */
  readonly limit?: number | undefined;
  readonly json?: boolean | undefined;
  readonly operator: Operator;
  /** Prints a line, or several. */
  readonly print: (text: string) => void;
}

type Action = (operator: Operator, operand: string, limit: number) => Promise<Report>;

const DEFAULT_LIMIT = 20;

const actions: Readonly<Record<OperatorCommand, Action>> = {
  'channels list': async (operator) => channelReport(await operator.overview()),
  'channels pause': async (operator, name) => {
    await operator.pause(name);
    return pausedReport(name);
  },
  'channels resume': async (operator, name) => {
    await operator.resume(name);
    return resumedReport(name);
  },
  'channels login-code': async (operator, operand) => {
    const [, name = '', code = ''] = /^(.+)=([0-9A-Za-z]{1,16})$/.exec(operand) ?? [];
    if (code === '') throw new AntlerError('bad_input', 'expected NAME=NUMBER, e.g. wechat=1234');
    await operator.enterLoginCode(name, code);
    return codeReport(name);
  },
  'pairing list': async (operator) => pairingReport(await operator.pairing(), Date.now()),
  'pairing approve': async (operator, code) => approvedReport(await operator.approvePairing(code)),
  'pairing deny': async (operator, code) => deniedReport(await operator.denyPairing(code)),
  'pairing revoke': async (operator, operand) => {
    const [, channel = '', user = ''] = /^([^/]+)\/(.+)$/.exec(operand) ?? [];
    if (user === '') throw new AntlerError('bad_input', 'expected CHANNEL/USER, e.g. telegram/123456789');
    await operator.revokePairing(channel, user);
    return revokedReport(channel, user);
  },
  usage: async (operator, _, limit) => usageReport(await operator.usage(limit)),
  'dead-letters list': async (operator, _, limit) => letterReport(await operator.deadLetters(limit)),
  'dead-letters replay': async (operator, id) => {
    if (id === 'all') return sweptReport(await operator.replayAll(), 'put back');
    await operator.replay(id);
    return replayedReport(id);
  },
  'dead-letters drop': async (operator, id) => {
    if (id === 'all') return sweptReport(await operator.dropAll(), 'thrown away');
    await operator.drop(id);
    return droppedReport(id);
  },
};

/** `antler channels …`, `antler dead-letters …`, `antler usage`. Rejects with an `AntlerError` that says what to do. */
export async function runOperate(options: OperateOptions): Promise<void> {
  const { command, operand, limit = DEFAULT_LIMIT, json = false, operator, print } = options;
  const report = await actions[command](operator, operand, limit);
  print(json ? JSON.stringify(report.json, null, 2) : report.lines.join('\n'));
}
