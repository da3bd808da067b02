import type { BusFigures, ChannelView, Overview } from '../../admin/operator.ts';
import { columns, counted, type Report } from './report.ts';

/** `antler channels list`. */
export function channelReport(overview: Overview): Report {
  const { bus, channels } = overview;
  const rows = channels.map((channel) => [channel.name, channel.paused ? 'paused' : 'on', connectionOf(channel)]);
  const none = 'No channel is switched on.';
  return { lines: [...(rows.length === 0 ? [none] : columns(rows)), '', ...busLines(bus)], json: overview };
}

function connectionOf({ name, connection }: ChannelView): string {
  switch (connection.state) {
    case 'failing':
      return `failing: ${connection.problem}`;
    case 'login':
      return `waits for a login: ${connection.hint} The page /channels/${encodeURIComponent(name)}/login shows the code.`;
    case 'standby':
      return 'standing by: another gateway has the connection';
    case 'unknown':
      return 'unknown: no running Antler answered';
    case 'absent':
      return 'not configured';
    default:
      return connection.state;
  }
}

function busLines(bus: BusFigures): string[] {
  const { waiting_inputs, queued_threads, running_threads, pending_deliveries, dead_letters } = bus;
  const line = [
    `${counted(waiting_inputs, 'message')} in ${counted(queued_threads, 'conversation')} to be answered`,
    `${running_threads} being answered`,
    `${counted(pending_deliveries, 'message')} to be sent`,
    counted(dead_letters, 'dead letter'),
  ].join(' · ');
  return dead_letters === 0 ? [line] : [line, 'antler dead-letters shows what could not be answered or delivered'];
}

/** `antler channels pause`. */
export const pausedReport = (name: string): Report => ({
  lines: [`${name} is paused. What people write to it is kept; "antler channels resume ${name}" lets it go on.`],
  json: { name, paused: true },
});

/** `antler channels resume`. */
export const resumedReport = (name: string): Report => ({
  lines: [`${name} goes on. What has waited is answered and sent now.`],
  json: { name, paused: false },
});

/** `antler channels login-code`. */
export const codeReport = (name: string): Report => ({
  lines: [`The number was handed to ${name}. "antler channels" tells whether it was the right one.`],
  json: { name },
});
