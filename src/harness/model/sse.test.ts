import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SseReader } from './sse.ts';

function read(...pieces: string[]): string[] {
  const reader = new SseReader();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()].map(({ event, data }) =>
    event === '' ? data : `${event}|${data}`,
  );
}

const cases: Record<string, [string, string[]]> = {
  'plain records': ['data: a\n\ndata: b\n\n', ['a', 'b']],
  'CRLF and CR': ['data: a\r\n\r\ndata: b\r\rdata: c\n\n', ['a', 'b', 'c']],
  'no space after the colon': ['data:a\n\n', ['a']],
  'several data lines': ['data: a\ndata: b\n\n', ['a\nb']],
  'comments that keep the connection alive': [': ping\n\n:\n\ndata: a\n\n', ['a']],
  'named events': ['event: error\ndata: {}\n\ndata: x\n\n', ['error|{}', 'x']],
  'a last record without its blank line': ['data: a\n\ndata: b\n', ['a', 'b']],
  'a last record without any line end': ['data: a\n\ndata: b', ['a', 'b']],
  'a byte order mark': ['\ufeffdata: a\n\n', ['a']],
  'other fields': ['id: 1\nretry: 5\ndata: a\n\nid: 2\n\n', ['a']],
};
for (const [name, [bytes, events]] of Object.entries(cases)) test(name, () => assert.deepEqual(read(bytes), events));

test('where the pieces are cut makes no difference', () => {
  const bytes = Object.values(cases)
    .slice(0, 6)
    .map(([text]) => text)
    .join('');
  const whole = read(bytes);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 10 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const pieces = at.slice(1).map((end, index) => bytes.slice(at[index], end));
      assert.deepEqual(read(...pieces), whole);
    }),
  );
});
