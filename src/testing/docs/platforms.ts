import { manifests } from '../../app/channels.ts';
import type { Capabilities, Manifest } from '../../channel/port.ts';

/** Where the table lives, below the root. */
export const PLATFORMS_PAGE = 'docs/platforms.md';

const UNITS = { utf16: 'UTF-16 units', bytes: 'bytes', chars: 'characters' } as const satisfies Record<
  Capabilities['textUnit'],
  string
>;
const STREAMS = {
  native: 'the platform’s own',
  edit: 'yes',
  none: 'no: the answer comes when it is complete',
} as const;

const yes = (able: boolean, otherwise: string): string => (able ? 'yes' : `no: ${otherwise}`);
const size = (bytes: number): string =>
  bytes === 0 ? 'no: named in a sentence' : `up to ${Math.floor(bytes / 1024 ** 2)} MiB`;
const span = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `for ${minutes} minutes` : `for ${Math.round(minutes / 60)} hours`;
};
const repeats = (ms: number): string =>
  ms === 0 ? 'no: a message that may not have arrived is noted, `/again` repeats it' : span(ms);

const rows: readonly (readonly [string, (capabilities: Capabilities) => string])[] = [
  [
    'Longest message',
    ({ maxText, textUnit }) => `${maxText.toLocaleString('en')} ${UNITS[textUnit]}, longer ones are split`,
  ],
  ['Answer is seen growing', ({ stream }) => STREAMS[stream]],
  ['Messages can be changed', ({ edit }) => yes(edit, 'a new one follows')],
  ['Messages can be taken back', ({ delete: remove }) => yes(remove, 'they stay')],
  ['“Typing …”', ({ typing }) => yes(typing, 'nothing is shown')],
  ['Topics or threads', ({ topics }) => yes(topics, 'one conversation a chat')],
  [
    'Called into a thread or group, reads what was said there',
    ({ history }) => yes(history, 'the platform does not tell'),
  ],
  ['Buttons', ({ buttons }) => yes(buttons, 'numbered text')],
  ['People are mentioned', ({ mentions }) => yes(mentions, 'by name, without a notification')],
  ['Reactions are heard', ({ reactions }) => yes(reactions, 'the platform does not tell')],
  ['Files from people', ({ maxFileInBytes }) => size(maxFileInBytes)],
  ['Files to people', ({ maxFileOutBytes }) => size(maxFileOutBytes)],
  ['A repeated send is known', ({ knowsRepeatsForMs }) => repeats(knowsRepeatsForMs)],
];

/** What each platform can do and how it degrades where it cannot, read from the manifests. */
export function platformsPage(all: readonly Manifest[] = manifests): string {
  const columns = all.toSorted((a, b) => a.title.localeCompare(b.title));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    '# What Antler can do on which platform',
    '',
    'Written from the adapters’ manifests by `npm run docs`; a test fails when it is out of date. How to set a platform',
    'up is in its README: ' +
      columns.map(({ type, title }) => `[${title}](../channels/${type}/README.md)`).join(', ') +
      '.',
    '',
    line(['', ...columns.map(({ title }) => title)]),
    line(['---', ...columns.map(() => '---')]),
    ...rows.map(([name, cell]) => line([name, ...columns.map(({ capabilities }) => cell(capabilities))])),
    '',
  ].join('\n');
}
