import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withMainText, withPart } from './page.ts';

test('each benchmark rewrites its own part and leaves the others', () => {
  const first = withMainText('', '# Performance\n\nold\n');
  const both = withPart(first, 'bus', '## The bus\n\n1 $& 2');
  assert.equal(both, '# Performance\n\nold\n\n<!-- bus -->\n## The bus\n\n1 $& 2\n<!-- /bus -->\n');
  const rewritten = withMainText(both, '# Performance\n\nnew\n');
  assert.equal(rewritten, '# Performance\n\nnew\n\n<!-- bus -->\n## The bus\n\n1 $& 2\n<!-- /bus -->\n');
  const third = withPart(withPart(rewritten, 'other', 'x'), 'bus', 'y $1');
  assert.equal(
    third,
    '# Performance\n\nnew\n\n<!-- bus -->\ny $1\n<!-- /bus -->\n\n<!-- other -->\nx\n<!-- /other -->\n',
  );
});
