import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sniffImage } from './sniff.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

const images: Readonly<Record<string, readonly [Buffer, string]>> = {
  PNG: [bytes('89504e470d0a1a0a 0000000d 49484452 00000140 000000f0 08'), 'image/png 320x240'],
  GIF: [bytes('474946383961 4001 f000'), 'image/gif 320x240'],
  'JPEG with a thumbnail before the frame': [
    bytes('ffd8 ffe0 0006 4a464946 ff ffc4 0004 0000 ffc2 0011 08 00f0 0140 03'),
    'image/jpeg 320x240',
  ],
  'lossy WebP': [bytes(`52494646 00000000 57454250 56503820 ${'00'.repeat(10)} 4001 f000`), 'image/webp 320x240'],
  'lossless WebP': [bytes('52494646 00000000 57454250 5650384c 00000000 2f 3fc13b00'), 'image/webp 320x240'],
  'extended WebP': [bytes('52494646 00000000 57454250 56503858 0a000000 00000000 3f0100 ef0000'), 'image/webp 320x240'],
};

for (const [name, [content, expected]] of Object.entries(images))
  test(`${name} is known by its bytes, wherever they lie`, () => {
    const shifted = Buffer.concat([Buffer.from([0xff, 0xd8]), content]).subarray(2);
    const facts = sniffImage(shifted);
    assert.equal(`${facts?.mime} ${facts?.width}x${facts?.height}`, expected);
    for (let cut = 0; cut < 10; cut++) assert.equal(sniffImage(content.subarray(0, cut)), null);
  });

test('what is no image that models take is none, whatever it is called', () => {
  for (const text of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7', 'BM6', 'GIF90a12345678'])
    assert.equal(sniffImage(Buffer.from(text)), null, text);
  assert.equal(sniffImage(bytes('89504e470d0a1a0a 0000000d 49484452 00000000 000000f0')), null, 'no pixels');
});

test('no bytes whatsoever make it throw or run on', () => {
  const starts = Object.values(images).map(([content]) => content);
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.nat(40), fc.uint8Array({ maxLength: 64 }), (start, cut, rest) => {
      sniffImage(Buffer.concat([start.subarray(0, cut), rest]));
    }),
  );
});
