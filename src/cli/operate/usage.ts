import type { ConsumerView, UsageView } from '../../admin/operator.ts';
import { columns, type Report } from './report.ts';

/** `antler usage`. */
export function usageReport(view: UsageView): Report {
  const { consumers } = view;
  const [first] = consumers;
  if (first === undefined) return { lines: ['Nobody has used anything today.'], json: view };
  return {
    lines: [
      ...columns([['', 'today: tokens', 'answers', 'this hour', 'now', 'cost', ''], ...consumers.map(rowOf)]),
      '',
      `The day ends at ${new Date(first.day.resets_at).toLocaleString('sv-SE')}, the hour at ${new Date(first.hour.resets_at).toLocaleString('sv-SE')} (this machine's time).`,
    ],
    json: view,
  };
}

function rowOf({ scope, id, name, day, hour, now }: ConsumerView): string[] {
  return [
    scope,
    ofLimit(day.used, day.limit),
    String(day.runs),
    ofLimit(hour.used, hour.limit),
    now === null ? '-' : ofLimit(now.used, now.limit),
    day.cost.map(({ currency, amount }) => `${amount.toFixed(amount < 1 ? 4 : 2)} ${currency}`).join(' + ') || '-',
    name === null || name === '' ? id : `${name} (${id})`,
  ];
}

const ofLimit = (used: number, limit: number | null): string => (limit === null ? String(used) : `${used} of ${limit}`);
