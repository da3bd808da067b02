import type { PairedView, PairingView } from '../../admin/operator.ts';
import { columns, counted, type Report } from './report.ts';

/** `antler pairing`. */
export function pairingReport(view: PairingView, now: number): Report {
  const { requests, admitted } = view;
  const minutes = (at: number): string => `${Math.max(0, Math.round((now - at) / 60_000))} min ago`;
  const asking = columns(
    requests.map(({ code, name, channel, user, at }) => [
      `${code.slice(0, 4)}-${code.slice(4)}`,
      name,
      `${channel} ${user}`,
      minutes(at),
    ]),
  );
  const inside = columns(admitted.map(({ name, channel, user, by }) => [name, `${channel}/${user}`, `by ${by}`]));
  return {
    lines: [
      requests.length === 0 ? 'Nobody asks to be let in.' : `${counted(requests.length, 'request')}:`,
      ...asking,
      ...(requests.length === 0 ? [] : ['"antler pairing approve CODE" lets in, "antler pairing deny CODE" does not.']),
      ...(admitted.length === 0
        ? []
        : ['Let in by a code ("antler pairing revoke CHANNEL/USER" shuts out):', ...inside]),
    ],
    json: view,
  };
}

/** `antler pairing approve`. */
export const approvedReport = (paired: PairedView): Report => ({
  lines: [`${paired.name || paired.user} is in on ${paired.channel} and has been told.`],
  json: paired,
});

/** `antler pairing deny`. */
export const deniedReport = (paired: PairedView): Report => ({
  lines: [`${paired.name || paired.user} was not let in on ${paired.channel} and has been told.`],
  json: paired,
});

/** `antler pairing revoke`. */
export const revokedReport = (channel: string, user: string): Report => ({
  lines: [`${user} can no longer use ${channel}.`],
  json: { channel, user },
});
